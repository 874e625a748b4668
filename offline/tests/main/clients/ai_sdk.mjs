// Runs the AI SDK against claw-offline: a tool call and its result, streamed and not, an object
// of a schema, and the token limit, on each of the three APIs. The only argument is the URL of
// the server.

import assert from "node:assert/strict";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateObject, generateText, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";

const baseURL = `${process.argv[2]}/v1`;
const openai = createOpenAI({ baseURL, apiKey: "none" });
const anthropic = createAnthropic({ baseURL, apiKey: "none" });

const list = tool({
  description: "Lists.",
  inputSchema: z.object({ path: z.string() }),
  execute: async () => "lib.rs\nmain.rs",
});

// The SDK has to know a model of Messages before it asks for JSON of a schema.
const models = [openai("claw-offline"), openai.chat("claw-offline"), anthropic("claude-opus-5-5")];

for (const model of models) {
  const api = model.provider;
  const request = { model, tools: { list }, stopWhen: stepCountIs(5), prompt: "list src" };
  const answer = "`src` holds 2 entries: lib.rs, main.rs.";

  const whole = await generateText(request);
  assert.equal(whole.text, answer, api);
  assert.equal(whole.steps.length, 2, api);

  const stream = streamText(request);
  assert.equal(await stream.text, answer, api);
  assert.equal(await stream.finishReason, "stop", api);

  const schema = z.object({ answer: z.string(), score: z.number() });
  const { object } = await generateObject({ model, schema, prompt: "thanks" });
  assert.deepEqual(object, { answer: "You are welcome.", score: 0 }, api);

  const cut = await generateText({ model, prompt: "hello", maxOutputTokens: 16 });
  assert.equal(cut.finishReason, "length", api);
}
