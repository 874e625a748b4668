"""Runs the official clients against claw-offline: a streamed tool call and its result on each
of the three APIs. The only argument is the URL of the server."""

import json
import sys

import anthropic
import openai

URL = sys.argv[1]
MODEL = "claw-offline"
ASK = "What is in src?"
LISTING = "lib.rs\nmain.rs\n"
SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}},
    "required": ["path"],
}


def check(rule, is_met):
    if not is_met:
        sys.exit(f"failed: {rule}")


def check_answer(api, text):
    check(f"{api}: the answer names what the tool listed, not {text!r}",
          "lib.rs, main.rs" in text)


def chat_completions(client):
    tools = [{"type": "function",
              "function": {"name": "list", "description": "Lists.", "parameters": SCHEMA}}]
    messages = [{"role": "user", "content": ASK}]

    def ask():
        with client.chat.completions.stream(
            model=MODEL, messages=messages, tools=tools,
            stream_options={"include_usage": True},
        ) as stream:
            events = list(stream)
            return events, stream.get_final_completion()

    events, completion = ask()
    choice = completion.choices[0]
    check("chat: a tool call ends the reply", choice.finish_reason == "tool_calls")
    check("chat: usage comes with the stream", completion.usage.total_tokens > 0)
    kinds = [event.type for event in events]
    check("chat: arguments come in pieces",
          kinds.count("tool_calls.function.arguments.delta") > 1)
    [call] = choice.message.tool_calls
    check("chat: the call is for src",
          call.function.name == "list" and json.loads(call.function.arguments) == {"path": "src"})
    messages.append(choice.message.model_dump(include={"role", "content", "tool_calls"}))
    messages.append({"role": "tool", "tool_call_id": call.id, "content": LISTING})
    events, completion = ask()
    deltas = [event.delta for event in events if event.type == "content.delta"]
    text = completion.choices[0].message.content
    check("chat: the text comes in pieces", len(deltas) > 1 and "".join(deltas) == text)
    check("chat: the reply stops", completion.choices[0].finish_reason == "stop")
    check_answer("chat", text)
    whole = client.chat.completions.create(model=MODEL, messages=messages, tools=tools)
    check("chat: a single body has the same text", whole.choices[0].message.content == text)


def responses(client):
    tools = [{"type": "function", "name": "list", "description": "Lists.",
              "parameters": SCHEMA, "strict": False}]
    items = [{"role": "user", "content": ASK}]

    def ask():
        with client.responses.stream(model=MODEL, input=items, tools=tools) as stream:
            events = list(stream)
            return events, stream.get_final_response()

    events, response = ask()
    numbers = [event.sequence_number for event in events]
    check("responses: events are numbered", numbers == list(range(len(numbers))))
    kinds = [event.type for event in events]
    check("responses: arguments come in pieces",
          kinds.count("response.function_call_arguments.delta") > 1)
    check("responses: the reply is complete", response.status == "completed")
    [call] = [item for item in response.output if item.type == "function_call"]
    check("responses: the call is for src",
          call.name == "list" and json.loads(call.arguments) == {"path": "src"})
    for item in response.output:
        fields = item.model_dump(exclude={"parsed_arguments"}, exclude_none=True)
        for part in fields.get("content") or []:
            part.pop("parsed", None)
        items.append(fields)
    items.append({"type": "function_call_output", "call_id": call.call_id, "output": LISTING})
    events, response = ask()
    deltas = [event.delta for event in events if event.type == "response.output_text.delta"]
    check("responses: the text comes in pieces",
          len(deltas) > 1 and "".join(deltas) == response.output_text)
    check_answer("responses", response.output_text)
    whole = client.responses.create(model=MODEL, input=items, tools=tools)
    check("responses: a single body has the same text", whole.output_text == response.output_text)
    check("responses: usage", whole.usage.total_tokens > 0)


def messages(client):
    tools = [{"name": "list", "description": "Lists.", "input_schema": SCHEMA}]
    history = [{"role": "user", "content": ASK}]

    def ask():
        with client.messages.stream(
            model=MODEL, max_tokens=1000, messages=history, tools=tools,
        ) as stream:
            events = list(stream)
            return events, stream.get_final_message()

    events, message = ask()
    check("messages: a tool call ends the reply", message.stop_reason == "tool_use")
    check("messages: arguments come in pieces",
          [event.type for event in events].count("input_json") > 1)
    [call] = [block for block in message.content if block.type == "tool_use"]
    check("messages: the call is for src", call.name == "list" and call.input == {"path": "src"})
    history.append({"role": "assistant", "content": [
        block.model_dump(include={"type", "text", "id", "name", "input"}) for block in message.content]})
    history.append({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": call.id, "content": LISTING}]})
    events, message = ask()
    deltas = [event.text for event in events if event.type == "text"]
    [block] = message.content
    check("messages: the text comes in pieces", len(deltas) > 1 and "".join(deltas) == block.text)
    check("messages: the reply ends its turn", message.stop_reason == "end_turn")
    check("messages: usage", message.usage.input_tokens > 0 and message.usage.output_tokens > 1)
    check_answer("messages", block.text)
    whole = client.messages.create(model=MODEL, max_tokens=1000, messages=history, tools=tools)
    check("messages: a single body has the same text", whole.content[0].text == block.text)


def errors(openai_client, anthropic_client):
    """Each client raises the right exception, with the message of the server."""
    bad = [{"role": "tool", "tool_call_id": "nowhere", "content": ""}]
    try:
        openai_client.chat.completions.create(model=MODEL, messages=bad)
        sys.exit("failed: chat: a result without a call is refused")
    except openai.BadRequestError as error:
        check("chat: the error names the call", "nowhere" in error.message)
    try:
        openai_client.responses.create(model=MODEL, input=[])
        sys.exit("failed: responses: no input is refused")
    except openai.BadRequestError as error:
        check("responses: the error names the field", "input" in error.message)
    try:
        anthropic_client.messages.create(model=MODEL, max_tokens=0, messages=[])
        sys.exit("failed: messages: no tokens are refused")
    except anthropic.BadRequestError as error:
        check("messages: the error names the field", "max_tokens" in str(error))
    try:
        anthropic_client.post("/v1/messages/nowhere", body={}, cast_to=object)
        sys.exit("failed: messages: an unknown path is refused")
    except anthropic.NotFoundError as error:
        check("messages: not found", error.body["error"]["type"] == "not_found_error")


def main():
    openai_client = openai.OpenAI(base_url=f"{URL}/v1", api_key="none", max_retries=0)
    anthropic_client = anthropic.Anthropic(base_url=URL, api_key="none", max_retries=0)
    check("openai: the model is listed", [it.id for it in openai_client.models.list()] == [MODEL])
    check("anthropic: the model is listed",
          [it.id for it in anthropic_client.models.list()] == [MODEL])
    chat_completions(openai_client)
    responses(openai_client)
    messages(anthropic_client)
    errors(openai_client, anthropic_client)
    print(f"openai {openai.__version__}, anthropic {anthropic.__version__}: all checks passed")


main()
