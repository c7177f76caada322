/** A program that uses the library with `telemetry`, and ends by itself: a child of `metrics.e2e.ts`. Prints which of prom-client it has loaded. */
import { createRequire } from 'node:module';
import { createKernel } from '../../../../kernel/index.ts';
import { telemetry } from '../../../../plugins/telemetry/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

const kernel = await createKernel({ plugins: [telemetry({ metrics: { port: 0 } })], logger: memoryLogger() });
const failure = await kernel.call({ tool: 'made_up', caller: 'ada' }).catch((error: unknown) => error);
const loaded = Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('prom-client'));
process.stdout.write(JSON.stringify({ code: (failure as { code?: unknown }).code, loaded }));
