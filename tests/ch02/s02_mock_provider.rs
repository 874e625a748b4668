//! Section 2.2: The Provider trait and MockProvider

use claw_code::provider::*;
use claw_code::types::*;

use super::support::*;

#[tokio::test]
async fn test_ch2_mock_returns_replies_in_order() {
    let script = [Ok(reply("one")), Err(connection_lost()), Ok(reply("two"))];
    let mock = MockProvider::new(script.clone());
    for expected in script {
        assert_eq!(
            mock.chat(&[user("hello")], &[]).await,
            expected,
            "the mock returns the script's replies and errors from first to last"
        );
    }
}

#[tokio::test]
async fn test_ch2_mock_records_every_request() {
    let mock = MockProvider::new([Ok(reply("one")), Ok(reply("two"))]);
    assert!(mock.requests().is_empty(), "there was no request yet");
    let first = vec![user("one?")];
    let answer = Message::Assistant(reply("one"));
    let second = vec![user("one?"), answer, user("two?")];
    let tools = [&tool("read"), &tool("bash")];

    let provider: &dyn Provider = &mock;
    provider.chat(&first, &tools).await.expect("a reply");
    provider.chat(&second, &[]).await.expect("a reply");

    let tools = vec!["read".to_string(), "bash".to_string()];
    let expected = [(first, tools), (second, Vec::new())];
    assert_eq!(
        mock.requests(),
        expected.map(|(messages, tools)| RecordedRequest { messages, tools }),
        "the mock records each request once, complete and in order"
    );
    assert_eq!(
        mock.requests().len(),
        2,
        "requests() returns a copy, so the mock still has its requests"
    );
}

#[tokio::test]
async fn test_ch2_mock_reports_an_exhausted_script() {
    let mock = MockProvider::new([Ok(reply("the only one"))]);
    let messages = [user("hello")];
    mock.chat(&messages, &[]).await.expect("the only reply");
    for number in [2, 3] {
        let error = mock.chat(&messages, &[]).await;
        let error = error.expect_err("the script has no reply left");
        assert_eq!(variant(&error), "BadRequest", "{error:?}");
        let text = error.to_string();
        assert!(
            text.contains("script") && text.contains(&number.to_string()),
            "the error should say that the script has no reply for request {number}; it reads: {text}"
        );
    }
    assert_eq!(
        mock.requests().len(),
        3,
        "the mock also records a request without a reply, since that is the one to look at"
    );
}
