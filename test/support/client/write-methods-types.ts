import { writeFileSync } from 'node:fs';
import { METHODS_TYPES, renderMethodsTypes } from './methods-types.ts';

writeFileSync(METHODS_TYPES, renderMethodsTypes());
