import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { EMITTED_KINDS, listEmittedKinds, writeKinds } from './emitted-kinds.ts';
import {
  EXAMPLE_PARAMS,
  type ExampleParams,
  makeExampleParams,
  shapeOf,
  writeExampleParams,
} from './example-params.ts';
import { DIFFERENCES, METHODS_DOC, renderDifferences, renderMethodsDoc } from './methods-doc.ts';

writeFileSync(METHODS_DOC, renderMethodsDoc());
writeFileSync(DIFFERENCES, renderDifferences());
writeFileSync(EMITTED_KINDS, writeKinds(listEmittedKinds()));
const known: ExampleParams = existsSync(EXAMPLE_PARAMS)
  ? JSON.parse(readFileSync(EXAMPLE_PARAMS, 'utf8'))
  : {};
const made = await makeExampleParams();
// Ids differ each time; what is as before stays.
const examples = Object.entries(made).map(([name, params]) => [
  name,
  isDeepStrictEqual(shapeOf(params), shapeOf(known[name])) ? known[name] : params,
]);
writeFileSync(EXAMPLE_PARAMS, writeExampleParams(Object.fromEntries(examples)));
