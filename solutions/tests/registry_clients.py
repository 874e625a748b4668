"""Checks the registry's schemas with the official clients. The argument is the server's URL.
The three lists of tools come as JSON on standard input."""

import json
import sys

import anthropic
import openai
from anthropic.types import ToolParam
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter

URL = sys.argv[1]
TOOLS = json.load(sys.stdin)
MODEL = "claw-offline"
ASK = "list the files in src"


def check(rule, holds):
    if not holds:
        sys.exit(f"failed: {rule}")


def check_types(api, type_, name):
    """Each tool fits the client's type and has no other fields. Tools are sorted by name."""
    adapter = TypeAdapter(type_)
    for tool in TOOLS[api]:
        adapter.validate_python(tool)
        known = set(type_.__annotations__) | set(
            key for base in getattr(type_, "__orig_bases__", ()) for key in getattr(base, "__annotations__", ()))
        check(f"{api}: the client does not know {sorted(set(tool) - known)}", set(tool) <= known)
    check(f"{api}: the tools should be sorted by name", [name(tool) for tool in TOOLS[api]] == TOOLS["names"])


def check_call(api, name, arguments):
    check(f"{api}: the call should be list with the path src, not {name}({arguments})",
          name == "list" and arguments == {"path": "src"})


def chat_completions(client):
    with client.chat.completions.stream(
        model=MODEL, messages=[{"role": "user", "content": ASK}], tools=TOOLS["chat"],
    ) as stream:
        for _ in stream:
            pass
        [call] = stream.get_final_completion().choices[0].message.tool_calls
    check_call("chat", call.function.name, json.loads(call.function.arguments))


def responses(client):
    with client.responses.stream(model=MODEL, input=ASK, tools=TOOLS["responses"]) as stream:
        for _ in stream:
            pass
        output = stream.get_final_response().output
    [call] = [item for item in output if item.type == "function_call"]
    check_call("responses", call.name, json.loads(call.arguments))
    strict = [tool["name"] for tool in TOOLS["responses"] if tool["strict"]]
    check(f"responses: only mcp__web__fetch should be strict, not {strict}", strict == ["mcp__web__fetch"])


def messages(client):
    with client.messages.stream(
        model=MODEL, max_tokens=1000, messages=[{"role": "user", "content": ASK}], tools=TOOLS["messages"],
    ) as stream:
        for _ in stream:
            pass
        content = stream.get_final_message().content
    [call] = [block for block in content if block.type == "tool_use"]
    check_call("messages", call.name, call.input)


def errors(openai_client, anthropic_client):
    """An invalid tool is a bad request with the API's own error."""
    bad = {"type": "object", "anyOf": [{"required": ["a"]}]}
    try:
        openai_client.responses.create(model=MODEL, input=ASK, tools=[
            {"type": "function", "name": "a", "parameters": bad, "strict": False}])
        sys.exit("failed: responses: an invalid schema should be rejected")
    except openai.BadRequestError as error:
        check("responses: the error should name the keyword", "anyOf" in error.message)
    try:
        openai_client.chat.completions.create(
            model=MODEL, messages=[{"role": "user", "content": ASK}],
            tools=[{"type": "function", "function": {"name": "web search"}}])
        sys.exit("failed: chat: an invalid name should be rejected")
    except openai.BadRequestError as error:
        check("chat: the error should name the tool", "web search" in error.message)
    try:
        anthropic_client.messages.create(
            model=MODEL, max_tokens=10, messages=[{"role": "user", "content": ASK}],
            tools=TOOLS["messages"][:1] * 2)
        sys.exit("failed: messages: a duplicate name should be rejected")
    except anthropic.BadRequestError as error:
        check("messages: the error should say why", "unique" in error.body["error"]["message"])


def main():
    check_types("chat", ChatCompletionFunctionToolParam, lambda tool: tool["function"]["name"])
    check_types("responses", FunctionToolParam, lambda tool: tool["name"])
    check_types("messages", ToolParam, lambda tool: tool["name"])
    openai_client = openai.OpenAI(base_url=f"{URL}/v1", api_key="none", max_retries=0)
    anthropic_client = anthropic.Anthropic(base_url=URL, api_key="none", max_retries=0)
    chat_completions(openai_client)
    responses(openai_client)
    messages(anthropic_client)
    errors(openai_client, anthropic_client)


main()
