import { writeFileSync } from 'node:fs';
import { renderMethodsTables } from './methods-table.ts';

for (const [path, text] of renderMethodsTables()) writeFileSync(path, text);
