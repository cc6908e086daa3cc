import { writeFileSync } from 'node:fs';
import { METRICS_DOC, renderMetricsDoc } from './metrics-doc.ts';

writeFileSync(METRICS_DOC, renderMetricsDoc());
process.exit();
