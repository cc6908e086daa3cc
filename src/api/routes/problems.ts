import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Config } from '../../config.ts';
import { messengerProblem } from '../../messenger-problem.ts';
import { Problem } from '../../problem.ts';
import { PROBLEMS, type ProblemCode } from '../../problem-table.ts';
import { findMessengerError } from '../../tl/errors.ts';
import { asksFor } from '../headers/accept.ts';
import { vary } from '../headers/vary.ts';
import type { Assets } from '../pages/assets.ts';
import { type Page, plainBody, sendHtmlPage, toHtml } from '../pages/html.ts';
import { basePath } from '../records/location.ts';
import { failures, problem } from '../records/shapes.ts';

/** `/problems`: the catalogue of errors. The `type` of a problem is the address of its entry. */
export function addProblemRoutes(
  app: FastifyInstance,
  config: Pick<Config, 'PUBLIC_URL'>,
  assets: Assets,
): void {
  const shared = { config: { public: true } };
  const schema = { tags: ['Operation'], security: [] };
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
  const pages = { assets, base: basePath(config) };
  app.get('/problems', { ...shared, schema: list }, async (request, reply) =>
    send(request, reply, pages, known),
  );
  app.get('/problems/:code', { ...shared, schema: one }, async (request, reply) => {
    const { code } = request.params as { code: string };
    return send(request, reply, pages, findProblem(code));
  });
}

function findProblem(code: string): Problem {
  if (Object.hasOwn(PROBLEMS, code)) return new Problem(code as ProblemCode);
  // The code of a wait has no number, but the messenger's name has.
  for (const name of [code, `${code}_60`])
    if (findMessengerError(name) !== null) return messengerProblem(name, '');
  throw new Problem('not_found', {
    detail: 'There is no error with this code: /problems lists those there are.',
  });
}

interface Pages {
  assets: Assets;
  base: string;
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { assets, base }: Pages,
  found: Problem | Problem[],
): FastifyReply {
  vary(reply, 'Accept');
  if (!asksFor(request.headers.accept, 'text/html', 'application/json'))
    return reply.type('application/json').send(JSON.stringify(found));
  return sendHtmlPage(reply, assets, Array.isArray(found) ? listPage(found, base) : problemPage(found, base));
}

function listPage(problems: Problem[], base: string): Page {
  const entries = problems.map(
    (problem) => `<section class="problem">
<h2 id="${problem.code}"><a href="${base}/problems/${problem.code}"><code>${problem.code}</code></a></h2>
${meaningOf(problem)}
</section>`,
  );
  const lead =
    '<p class="lead">The <code>code</code> of a problem, and what to do about it. A messenger’s errors keep their own names, and have a page each.</p>';
  return {
    title: 'Errors · Switchboard API (beta)',
    body: plainBody(base, `<h1>Errors</h1>\n${lead}\n${entries.join('\n')}`),
  };
}

function problemPage(problem: Problem, base: string): Page {
  const crumb = `<p class="crumb"><a href="${base}/problems">Errors</a></p>`;
  const heading = `<h1><code>${problem.code}</code></h1>`;
  return {
    title: `${problem.code} · Switchboard API (beta)`,
    body: plainBody(base, `${crumb}\n${heading}\n${meaningOf(problem)}`),
  };
}

function meaningOf({ status, title, detail, retryable }: Problem): string {
  const again = retryable
    ? 'The same request may succeed later.'
    : 'The same request fails again until something changes.';
  return `<p><span class="status">${status}</span> ${toHtml(title)}.</p>
<p class="next">${toHtml(detail)}</p>
<p class="muted">${again}</p>`;
}
