import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { examineKey } from '../../../src/cli/doctor/examine-key.ts';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { Problem } from '../../../src/problem.ts';

/** What is found of a key whose requests are refused like this. */
async function findingsOf(refusal: (path: string) => Problem, workspace?: string): Promise<Finding[]> {
  const server = createServer(({ url }, response) => {
    const problem = refusal(String(url));
    response.writeHead(problem.status).end(JSON.stringify(problem));
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const findings: Finding[] = [];
  for await (const finding of examineKey(`http://127.0.0.1:${port}`, 'sb_key', workspace))
    findings.push(finding);
  return findings;
}

it('does not say that a key has no scope when the API cannot tell', async () => {
  const findings = await findingsOf(() => new Problem('unavailable'));
  expect(findings.length).toBeGreaterThan(10);
  for (const finding of findings)
    expect(finding).toMatchObject({
      level: 'warn',
      found: expect.stringMatching(/^Whether .* is not known: /),
    });
});

it('says which scopes a key lacks that has none of them', async () => {
  expect(await findingsOf(() => new Problem('forbidden'))).toMatchObject([
    {
      level: 'warn',
      found: expect.stringMatching(/^The key has none of the scopes calls:read, .*; whether/),
    },
  ]);
});

it('says what to correct where the workspace is not found', async () => {
  const refusal = (path: string) => new Problem(path.includes('/updates') ? 'not_found' : 'forbidden');
  expect(await findingsOf(refusal, 'ws_1')).toContainEqual({
    level: 'warn',
    found: expect.stringContaining('updates:read'),
    mend: 'Correct --workspace or SWITCHBOARD_WORKSPACE.',
  });
});
