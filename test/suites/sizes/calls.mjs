/**
 * Makes the calls that come on standard input, one a line of JSON, and answers each with a line: what came out, how often progress was reported,
 * and the largest memory of this process so far. Arguments: the built module, and the root.
 */
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [, , module, root] = process.argv;
const { Toolkit } = await import(pathToFileURL(module));
const toolkit = await Toolkit.init({ logLevel: 'error', roots: [root] });
for await (const line of createInterface({ input: process.stdin })) {
  const { tool, parameters } = JSON.parse(line);
  let reports = 0;
  const onProgress = () => {
    reports += 1;
  };
  const output = await toolkit.execute(tool, parameters, { onProgress }).catch(({ code, message }) => ({ code, message }));
  process.stdout.write(`${JSON.stringify({ output, reports, peakBytes: process.resourceUsage().maxRSS * 1024 })}\n`);
}
await toolkit.close();
