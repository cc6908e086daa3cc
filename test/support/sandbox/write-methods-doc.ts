import { writeFileSync } from 'node:fs';
import { METHODS_DOC, renderMethodsDoc } from './methods-doc.ts';

writeFileSync(METHODS_DOC, renderMethodsDoc());
