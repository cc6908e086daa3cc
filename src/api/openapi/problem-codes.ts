import { PROBLEMS, type ProblemCode } from '../../problem-table.ts';
import { refer } from './schema-parts.ts';

const codes = Object.keys(PROBLEMS) as ProblemCode[];

/** The `code` of a problem: a code of this API, or the messenger's own name of an error. */
export const CODE = {
  description: 'Stable, for programs',
  anyOf: [refer('schemas', 'ProblemCode'), refer('schemas', 'MessengerErrorCode')],
};

/** The schemas that `CODE` refers to. */
export const CODE_SCHEMAS = {
  ProblemCode: {
    type: 'string',
    enum: codes,
    description: ['Codes of this API:', '', ...codes.map(lineOf)].join('\n'),
  },
  MessengerErrorCode: {
    type: 'string',
    pattern: '^[A-Z0-9][A-Z0-9_]*$',
    description:
      'An error of the messenger, such as `PEER_ID_INVALID`. `GET /v1/methods/{name}` lists the errors of a method.',
  },
};

function lineOf(code: ProblemCode): string {
  const { status, title, retryable } = PROBLEMS[code];
  return `- \`${code}\` (${status}${retryable ? ', may pass' : ''}): ${title}`;
}
