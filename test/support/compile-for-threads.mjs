/** Run before all tests: compiles what worker threads run of the sources, once for all processes of the tests, where each would otherwise do so at the same time. */
import { compiledForThreads } from '../../plugins/executor-function/source-threads.mjs';
import { build } from '../../plugins/shared/project/build.ts';

await compiledForThreads(build ?? '');
