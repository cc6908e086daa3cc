import { makeProgram } from './program.ts';
import { reportFailure, reportLostOutput } from './terminal/failures.ts';

process.stdout.on('error', (error) => process.exit(reportLostOutput(error)));
const program = makeProgram();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error, program.opts().json === true);
}
