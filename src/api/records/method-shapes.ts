import * as z from 'zod';

/** The account that a request for methods may name. */
export const accountQuery = z.string('Give it once').min(1, 'An id is needed').max(100).optional();

/** A method in a list. */
export const methodBrief = z
  .object({
    name: z.string().describe('Its full name, such as `messages.sendMessage`'),
    purpose: z.string(),
    executed: z.boolean().describe('Whether workers execute it; the others answer 501'),
    readOnly: z.boolean().describe('Whether it changes nothing, so that it can be repeated without a key'),
  })
  .meta({ id: 'MethodBrief', description: 'A method of the TL schema, in brief' });

/** All of a method. */
export const method = methodBrief
  .extend({
    paramsSchema: z.looseObject({}).describe('JSON Schema of the params'),
    resultTypes: z.array(z.string()).describe('Tags of the objects it may answer with'),
    errors: z.array(z.object({ code: z.string(), status: z.int(), detail: z.string().optional() })),
    sandboxDifference: z
      .string()
      .nullable()
      .describe('Where the sandbox knowingly differs from Telegram; null if it does not'),
    drivers: z.array(z.string()).describe('The drivers that execute it'),
    example: z
      .object({ params: z.looseObject({}) })
      .nullable()
      .describe(
        'A call that succeeds once for the given account; without an account, one whose ids may have to be replaced. Null if there is none',
      ),
  })
  .meta({ id: 'Method', description: 'A method of the TL schema' });
