import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A node of a syntax tree, with the members that tests look at. */
export interface SourceNode {
  type: string;
  quasis?: { value: { cooked: string } }[];
  regex?: { pattern: string; flags: string };
  callee?: { name?: string };
  [member: string]: unknown;
}

/** Visits every node of the source of the service. Paths are from the root of the project. */
export function visitSource(visit: (node: SourceNode, file: string) => void): void {
  for (const file of [...filesBelow('src'), ...filesBelow('workers')]) {
    const code = readFileSync(join(ROOT, file), 'utf8');
    walk(parseAst(code, { lang: file.endsWith('.ts') ? 'ts' : 'js' }), (node) => visit(node, file));
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function walk(value: unknown, visit: (node: SourceNode) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as SourceNode);
  for (const member of Object.values(value)) walk(member, visit);
}
