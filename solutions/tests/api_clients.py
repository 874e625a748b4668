"""Requests as our models sent them, by the official clients: the clients' own types must
take them, without a field that they do not know, and the replies must be those that our
models have read. What was sent and read comes as JSON on standard input."""

import inspect
import json
import sys
from collections.abc import Mapping

import anthropic
import anthropic.types
import openai
import openai.types.chat
import openai.types.responses
from anthropic.types.message_create_params import MessageCreateParamsStreaming
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming
from pydantic import ConfigDict, TypeAdapter
from typing_extensions import is_typeddict

RUNS = json.load(sys.stdin)


def check(what, is_so):
    if not is_so:
        sys.exit(f"failed: {what}")


def forbid_unknown_fields(package):
    """A request with a field that the API does not know is refused, so it is refused here."""
    for name, module in list(sys.modules.items()):
        if not name.startswith(package):
            continue
        for _, member in inspect.getmembers(module, is_typeddict):
            member.__pydantic_config__ = ConfigDict(extra="forbid", arbitrary_types_allowed=True)


def consume(value):
    """pydantic checks an `Iterable` only as it is read."""
    if isinstance(value, str):
        return
    if isinstance(value, Mapping):
        for inner in value.values():
            consume(inner)
    elif hasattr(value, "__iter__"):
        for inner in value:
            consume(inner)


def validate(type_, request):
    # The adapter must outlive what it checks lazily.
    adapter = TypeAdapter(type_)
    consume(adapter.validate_python(request))


def without_stream(request):
    return {key: value for key, value in request.items() if key != "stream"}


def contents(reply):
    return [(block["type"], block.get("text"), block.get("thinking"), token(block.get("signature")),
             block.get("id"), block.get("name"), block.get("arguments")) for block in reply["content"]]


def token(signature):
    """The signature, or the encrypted content, if the string is a JSON object with both."""
    if signature and signature.startswith("{"):
        return json.loads(signature)["encrypted_content"]
    return signature


def messages():
    run = RUNS["messages"]
    client = anthropic.Anthropic(base_url=run["url"], api_key="none", max_retries=0)
    for request, reply in zip(run["requests"], run["replies"], strict=True):
        validate(MessageCreateParamsStreaming, request)
        with client.messages.stream(**without_stream(request)) as stream:
            message = stream.get_final_message()
        read = []
        for block in message.content:
            if block.type == "text":
                read.append(("text", block.text, None, None, None, None, None))
            elif block.type == "thinking":
                read.append(("thinking", None, block.thinking, block.signature, None, None, None))
            elif block.type == "redacted_thinking":
                read.append(("thinking", None, "", block.data, None, None, None))
            else:
                read.append(("toolCall", None, None, None, block.id, block.name, block.input))
        check(f"messages: the client reads {read}, our model {contents(reply)}", read == contents(reply))
        usage, ours = message.usage, reply["usage"]
        check("messages: the tokens", (usage.input_tokens, usage.output_tokens, usage.cache_read_input_tokens)
              == (ours["input"], ours["output"], ours["cache_read"]))
        reason = {"end_turn": "stop", "tool_use": "toolUse"}[message.stop_reason]
        check("messages: why it ended", reason == reply["stopReason"])


def responses():
    run = RUNS["responses"]
    client = openai.OpenAI(base_url=run["url"] + "/v1", api_key="none", max_retries=0)
    for request, reply in zip(run["requests"], run["replies"], strict=True):
        validate(ResponseCreateParamsStreaming, request)
        with client.responses.stream(**without_stream(request)) as stream:
            response = stream.get_final_response()
        read = []
        for item in response.output:
            if item.type == "message":
                read += [("text", part.text, None, None, None, None, None) for part in item.content]
            elif item.type == "reasoning":
                # An item's own id stands for the request's bytes, which the client writes its own way.
                read.append(("thinking", None, item.summary[0].text, item.encrypted_content, None, None, None))
            else:
                read.append(("toolCall", None, None, None, item.call_id, item.name, json.loads(item.arguments)))
        check(f"responses: the client reads {read}, our model {contents(reply)}", read == contents(reply))
        usage, ours = response.usage, reply["usage"]
        cached = usage.input_tokens_details.cached_tokens
        check("responses: the tokens", (usage.input_tokens - cached, usage.output_tokens, cached, usage.total_tokens)
              == (ours["input"], ours["output"], ours["cache_read"], ours["total_tokens"]))


def completions():
    run = RUNS["completions"]
    client = openai.OpenAI(base_url=run["url"] + "/v1", api_key="none", max_retries=0)
    [request] = run["requests"]
    validate(CompletionCreateParamsNonStreaming, request)
    completion = client.chat.completions.create(**request)
    check("completions: the reply", completion.choices[0].message.content == "It is a small picture.")


def refusals():
    """The checks above can fail: a field too many, a field too few, a seal that was changed."""
    def refused(what, change):
        request = json.loads(json.dumps(RUNS["messages"]["requests"][1]))
        change(request["messages"])
        try:
            validate(MessageCreateParamsStreaming, request)
        except ValueError:
            return
        sys.exit(f"failed: the type takes {what}")

    refused("an image with a `detail`", lambda turns: turns[0]["content"][1].update(detail="low"))
    refused("a thought without a signature", lambda turns: turns[1]["content"][0].pop("signature"))
    request = json.loads(json.dumps(RUNS["messages"]["requests"][1]))
    request["messages"][1]["content"][0]["signature"] += "x"
    client = anthropic.Anthropic(base_url=RUNS["messages"]["url"], api_key="none", max_retries=0)
    try:
        client.messages.create(**without_stream(request))
        sys.exit("failed: a seal that was changed is refused")
    except anthropic.BadRequestError as error:
        check("the error says where", "signature" in str(error))


def main():
    forbid_unknown_fields("anthropic.types")
    forbid_unknown_fields("openai.types")
    messages()
    responses()
    completions()
    refusals()


main()
