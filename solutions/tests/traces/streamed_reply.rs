//! Chapter 2: a streamed reply, from bytes to a message.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener};
use std::thread;

use bytes::Bytes;
use claw_code::provider::{
    ChunkReader, DONE, LineBuffer, MAX_EVENT_BYTES, OpenAiConfig, OpenAiProvider, Provider,
    SseDecoder, SseEvent, StreamAccumulator, StreamEvent,
};
use claw_code::types::{AssistantMessage, Message};
use serde_json::to_value;

use super::json::shortened;
use super::trace::{Recorded, Step, Trace};

/// The pieces in which a body arrives. They are cut inside a character, inside a line end and
/// inside the arguments of a call.
const PIECES: [&[u8]; 4] = [
    b"data: {\"choices\":[{\"delta\":{\"content\":\"The caf\xC3",
    b"\xA9 is open.\"}}]}\r",
    b"\n\r\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"call_1\",\"function\":{\"name\":\"bash\",\"arguments\":\"{\\\"comm\"}}]}}]}\r\n\r\n",
    b"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"and\\\":\\\"ls\\\"}\"}}]},\"finish_reason\":\"tool_calls\"}]}\r\n\r\ndata: [DONE]\r\n\r\n",
];

#[test]
fn a_streamed_reply() {
    let mut lines = LineBuffer::default();
    let mut decoder = SseDecoder::new(MAX_EVENT_BYTES);
    let mut reader = ChunkReader::default();
    let mut reply = StreamAccumulator::default();
    let mut sent = Vec::new();
    let mut read = |event: &SseEvent| {
        let events = reader.read(&event.data).expect("the data is a chunk");
        events.iter().for_each(|event| reply.push(event));
        sent.extend(events.clone());
        events
    };
    let mut trace = Trace::new("bytes, events and the message of a streamed reply");

    decoder.push(Bytes::from_static(PIECES[0]));
    trace.add(Step {
        lane: "Network",
        title: "Some bytes arrive",
        value: Recorded::bytes(PIECES[0]),
        code: "provider::sse::SseDecoder::push",
        about: "The server writes `é` as the two bytes `\\xc3\\xa9`. The network has cut between them.",
    });
    let event = decoder.next_event();
    assert_eq!(event, Ok(None));
    trace.add(Step {
        lane: "Decoder",
        title: "No event yet",
        value: Recorded::debug([&event]),
        code: "provider::sse::SseDecoder::next_event",
        about: "The line has no end, so its bytes wait in the buffer. Nothing tries to read half a character as text.",
    });
    decoder.push(Bytes::from_static(PIECES[1]));
    trace.add(Step {
        lane: "Network",
        title: "The next bytes end with CR",
        value: Recorded::bytes(PIECES[1]),
        code: "provider::sse::SseDecoder::push",
        about: "The line ends with CRLF, and this piece ends between the two.",
    });
    let pieces = PIECES[..2].iter().copied().map(Bytes::from_static);
    pieces.for_each(|piece| lines.push(piece));
    let line = lines.next_line().expect("CR ends the line");
    trace.add(Step {
        lane: "Lines",
        title: "The line is complete",
        value: Recorded::text(std::str::from_utf8(line).expect("the character is whole again")),
        code: "provider::sse::LineBuffer::next_line",
        about: "CR ends the line at once, before the next byte arrives. The character is whole again. The buffer remembers the CR.",
    });
    assert_eq!(decoder.next_event(), Ok(None));
    decoder.push(Bytes::from_static(PIECES[2]));
    trace.add(Step {
        lane: "Network",
        title: "The rest of the line end, and more",
        value: Recorded::bytes(PIECES[2]),
        code: "provider::sse::SseDecoder::push",
        about: "The first LF belongs to the CR before it and starts no line. The CRLF after it is an empty line.",
    });
    let event = next_event(&mut decoder);
    trace.add(Step {
        lane: "Decoder",
        title: "The first event",
        value: shown(&event),
        code: "provider::sse::SseDecoder::next_event",
        about: "The empty line ends the event. Its data is one chunk of the reply, as JSON.",
    });
    trace.add(Step {
        lane: "Reader",
        title: "The chunk is text",
        value: Recorded::debug(read(&event)),
        code: "provider::chunk_reader::ChunkReader::read",
        about: "This event goes to the screen at once, and into the reply.",
    });
    let event = next_event(&mut decoder);
    trace.add(Step {
        lane: "Decoder",
        title: "The second event",
        value: shown(&event),
        code: "provider::sse::SseDecoder::next_event",
        about: "It arrived whole, in the same piece. The arguments of the call inside it are cut all the same: the server sends them in parts.",
    });
    trace.add(Step {
        lane: "Reader",
        title: "A call begins",
        value: Recorded::debug(read(&event)),
        code: "provider::chunk_reader::ChunkReader::read",
        about: "One chunk makes two events. The arguments so far are not JSON, so they stay text until the reply is complete.",
    });
    assert_eq!(decoder.next_event(), Ok(None));
    decoder.push(Bytes::from_static(PIECES[3]));
    trace.add(Step {
        lane: "Network",
        title: "The last bytes",
        value: Recorded::bytes(PIECES[3]),
        code: "provider::sse::SseDecoder::push",
        about: "Two events in one piece.",
    });
    let event = next_event(&mut decoder);
    trace.add(Step {
        lane: "Reader",
        title: "The rest of the arguments",
        value: Recorded::debug(read(&event)),
        code: "provider::chunk_reader::ChunkReader::read",
        about: "This chunk names no call. Its index 0 says that it continues the first one. It also has a finish reason, so the reader is finished.",
    });
    let event = next_event(&mut decoder);
    assert_eq!((event.data.as_str(), read(&event)), (DONE, vec![]));
    trace.add(Step {
        lane: "Decoder",
        title: "The last event",
        value: shown(&event),
        code: "provider::sse::SseDecoder::next_event",
        about: "Its data is not JSON but the mark `[DONE]`. It ends the loop that reads the body.",
    });
    let done = StreamEvent::Done(reply.stop_reason());
    reply.push(&done);
    sent.push(done.clone());
    trace.add(Step {
        lane: "Reply",
        title: "The reply is complete",
        value: Recorded::debug([&done]),
        code: "provider::openai::OpenAiProvider::read_stream",
        about: "Only a finished reader gets this event. Its reason follows from the calls: the reply has one, so the model waits for a result.",
    });
    let message = reply.finish().expect("the reply is complete");
    let json = to_value(&message).expect("a message is JSON");
    trace.add(Step {
        lane: "Reply",
        title: "The message for the history",
        value: Recorded::json(&shortened(json, &["/id"])),
        code: "provider::accumulator::StreamAccumulator::finish",
        about: "The two parts of the arguments were joined as text and are parsed now, once. The message gets a new id.",
    });

    let (events, streamed) = stream_over_tcp();
    let streamed = AssistantMessage {
        id: message.id.clone(),
        ..streamed
    };
    assert_eq!(events, sent, "the provider sends the same events");
    assert_eq!(streamed, message, "the provider returns the same message");
    trace.check("streamed-reply");
}

fn next_event(decoder: &mut SseDecoder) -> SseEvent {
    let event = decoder.next_event().expect("the stream is valid");
    event.expect("an event is complete")
}

fn shown(event: &SseEvent) -> Recorded {
    Recorded::text(&format!("event: {}\ndata: {}", event.event, event.data))
}

/// The events and the reply of a provider whose server sends the same pieces.
fn stream_over_tcp() -> (Vec<StreamEvent>, AssistantMessage) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a request");
        let mut request = BufReader::new(stream.try_clone().expect("a connection"));
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            request.read_line(&mut line).expect("the request");
        }
        let head: &[u8] =
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n";
        for piece in [&[head], &PIECES[..]].concat() {
            stream.write_all(piece).expect("the client reads");
        }
        // Closing a connection with unread bytes would discard what the client has not read.
        stream.shutdown(Shutdown::Write).expect("a connection");
        io::copy(&mut request, &mut io::sink()).expect("the rest of the request");
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let outcome = runtime.block_on(async {
        let provider = OpenAiProvider::new(OpenAiConfig::new(url, "small-model"))?;
        let (sender, mut events) = tokio::sync::mpsc::channel(16);
        let reply = provider.stream(&[Message::user("ls")], &[], &sender).await;
        drop(sender);
        let mut received = Vec::new();
        while let Some(event) = events.recv().await {
            received.push(event);
        }
        reply.map(|reply| (received, reply))
    });
    // The connection ends with its runtime, and the server with the connection.
    drop(runtime);
    server.join().expect("the server sends everything");
    outcome.expect("the reply is complete")
}
