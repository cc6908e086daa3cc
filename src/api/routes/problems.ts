import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import { messengerProblem } from '../../messenger-problem.ts';
import { Problem } from '../../problem.ts';
import { PROBLEMS, type ProblemCode } from '../../problem-table.ts';
import { findMessengerError } from '../../tl/errors.ts';
import { asksFor } from '../headers/accept.ts';
import { vary } from '../headers/vary.ts';
import { basePath } from '../records/location.ts';
import { failures, problem } from '../records/shapes.ts';

const POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/problems`: the catalogue of errors. The `type` of a problem is the address of its entry. */
export function addProblemRoutes(app: FastifyInstance, config: Pick<Config, 'PUBLIC_URL'>): void {
  const shared = { config: { public: true } };
  const schema = { tags: ['Operation'], security: [] };
  const all = `${basePath(config)}/problems`;
  const known = (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => new Problem(code));
  const list = {
    ...schema,
    operationId: 'listProblems',
    summary: 'List the errors of the API',
    description: 'Each as it is answered. A browser gets a page.',
    response: { 200: z.array(problem).describe('All of them'), ...failures(400) },
  };
  const one = {
    ...schema,
    operationId: 'getProblem',
    summary: 'Say what an error means',
    description:
      'One of the API or of a messenger: the `type` of a problem leads here. A browser gets a page.',
    response: { 200: problem, ...failures(404) },
  };
  app.get('/problems', { ...shared, schema: list }, async (request, reply) =>
    send(request, reply, known, all),
  );
  app.get('/problems/:code', { ...shared, schema: one }, async (request, reply) => {
    const { code } = request.params as { code: string };
    return send(request, reply, findProblem(code), all);
  });
}

function findProblem(code: string): Problem {
  if (Object.hasOwn(PROBLEMS, code)) return new Problem(code as ProblemCode);
  // The code of a wait has no number, its name has.
  for (const name of [code, `${code}_60`])
    if (findMessengerError(name) !== null) return messengerProblem(name, '');
  throw new Problem('not_found', {
    detail: 'There is no error with this code: /problems lists those there are.',
  });
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  found: Problem | Problem[],
  all: string,
): FastifyReply {
  vary(reply, 'Accept');
  if (!asksFor(request.headers.accept, 'text/html', 'application/json'))
    return reply.type('application/json').send(JSON.stringify(found));
  reply.headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' });
  return reply.type('text/html; charset=utf-8').send(pageOf([found].flat(), all));
}

function pageOf(problems: Problem[], all: string): string {
  const entries = problems.map(({ code, status, title, detail, retryable }) => {
    const again = retryable ? 'The same request may succeed later.' : 'The same request fails again.';
    return `<h2 id="${code}"><code>${code}</code> ${status}</h2><p>${title}. ${again}</p><p>${toHtml(detail)}</p>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Errors of the Switchboard API (beta)</title>
</head>
<body>
<main>
<h1><a href="${all}">Errors</a></h1>
${entries.join('\n')}
</main>
</body>
</html>
`;
}

function toHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');
}
