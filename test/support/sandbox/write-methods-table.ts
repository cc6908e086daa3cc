import { writeFileSync } from 'node:fs';
import { METHODS_TABLE, renderMethodsTable } from './methods-table.ts';

writeFileSync(METHODS_TABLE, renderMethodsTable());
