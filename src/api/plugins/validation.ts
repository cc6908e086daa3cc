import type { FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type * as z from 'zod';
import { plainMessage } from '../../plain-message.ts';
import { type FieldError, Problem } from '../../problem.ts';
import type { ProblemCode } from '../../problem-table.ts';

const CODES: Record<string, ProblemCode> = {
  body: 'invalid_body',
  querystring: 'invalid_query',
  params: 'not_found',
  headers: 'invalid_header',
};

const NO_BODY: FieldError = { pointer: '', detail: 'The body is missing: send a JSON object.' };

const ERRORS_MAX = 20;
const NAME_MAX = 100;

/** Validates requests by their zod schemas, with a pointer to each error. */
export function installValidation(app: FastifyInstance): void {
  app.setSerializerCompiler(serializerCompiler);
  app.setValidatorCompiler<z.ZodType>(({ schema, httpPart = 'body' }) => (data) => {
    const parsed = schema.safeParse(data, { error: plainMessage });
    if (parsed.success) return { value: parsed.data };
    const isMissing = httpPart === 'body' && data === null;
    const errors = isMissing ? [NO_BODY] : fieldErrors(parsed.error);
    return { error: new Problem(CODES[httpPart] ?? 'bad_request', { errors }) };
  });
}

/** A zod error as field errors, the first 20. */
export function fieldErrors({ issues }: z.ZodError): FieldError[] {
  return issues
    .slice(0, ERRORS_MAX)
    .flatMap((issue): FieldError[] => {
      if (issue.code !== 'unrecognized_keys')
        return [{ pointer: toPointer(issue.path), detail: issue.message }];
      return issue.keys.slice(0, ERRORS_MAX).map((key) => ({
        pointer: toPointer([...issue.path, key]),
        detail: issue.message,
      }));
    })
    .slice(0, ERRORS_MAX);
}

function toPointer(path: PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).slice(0, NAME_MAX).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
