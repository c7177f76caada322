/** A process that makes calls until it is killed, or its parent lets it go. */
import { durableKernel, type EngineName } from './kernel.ts';

const [engine = '', store = '', world = '', concurrency = '4', retentionMs = ''] = process.argv.slice(2);

const place = { engine: engine as EngineName, store, world, ...(retentionMs === '' ? {} : { retentionMs: Number(retentionMs) }) };
const kernel = await durableKernel(place, Number(concurrency));
// Connections are there before anybody counts.
await kernel.calls.list({ limit: 1 });

process.on('message', () => {
  kernel.calls
    .work({ concurrency: Number(concurrency) })
    .then(() => process.send?.('working'))
    .catch(() => process.exit(1));
});
process.on('disconnect', () => void kernel.close().finally(() => process.exit()));
process.send?.('ready');
