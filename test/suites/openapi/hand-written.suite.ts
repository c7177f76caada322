import { inspect } from 'node:util';
import { expect } from 'chai';
import { messageOf } from '../../../kernel/index.ts';
import { requestVariants } from '../vendors/request-variants.ts';
import { missingSources, sourceFolders } from '../vendors/source-folders.ts';
import { readSources } from '../vendors/sources.ts';
import { openVendors, type Vendors, vendorNames } from '../vendors/vendors.ts';
import { parametersOfArguments } from './arguments/parameters-of-arguments.ts';
import { decodeRequest, type RawRequest } from './decoder/decode-request.ts';
import { DescribedDocument } from './decoder/described-operation.ts';
import { isComplete, vendorDescriptions } from './documents/folders.ts';
import { handWrittenDifferences } from './hand-written-differences.ts';
import { generate } from './rounds/generate.ts';
import { type OpenTools, openTools } from './rounds/open-tools.ts';
import { type Receiver, startReceiver } from './rounds/receiver.ts';
import { differencesOf } from './swagger/differences.ts';
import { takeApart } from './swagger/taken-apart.ts';

const formType = 'application/x-www-form-urlencoded';

const folders = sourceFolders();
const missing = missingSources(folders);

/** Tools of the description of one vendor, beside the hand-written ones. */
interface Generated {
  readonly document: DescribedDocument;
  readonly tools: OpenTools;
  readonly source: Awaited<ReturnType<typeof generate>>['source'];
}

if (isComplete('hand-written', [missing])) {
  const { providers, described } = readSources(folders);

  describe(`${described.length} hand-written tools, beside those of their vendors' descriptions`, () => {
    let vendors: Vendors;
    let receiver: Receiver;
    const generated = new Map<string, Generated>();

    before(async () => {
      vendors = await openVendors(vendorNames(providers));
      receiver = await startReceiver();
      for (const { id, file } of vendorDescriptions()) {
        const { source } = await generate(file, { server: receiver.url }, id);
        generated.set(id, { document: DescribedDocument.read(file), source, tools: await openTools(source) });
      }
    });

    after(async () => {
      await vendors.close();
      for (const { tools } of generated.values()) await tools[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    });

    for (const { provider, tool, operation } of described)
      it(`${tool.name} sends what the generated tool sends`, async () => {
        const { document, source, tools } = generated.get(provider.name) as Generated;
        const made = source.tools.find((one) => one.operation.operationId === tool.operation_id);
        expect(made, `the tool of ${tool.operation_id}`).not.to.equal(undefined);
        const definition = made?.definition ?? {};
        const path = made?.operation.path ?? '';
        const described = document.operation(operation.method, path);
        const name = String(definition['name']);
        const found: string[] = [];
        for (const { title, parameters } of requestVariants(vendors.toolkit.kernel.registry.get(tool.name))) {
          const trace = await vendors.call(
            tool,
            parameters,
            (_, response) => void response.writeHead(404, { 'content-type': 'application/json' }).end('{}'),
          );
          const [seen] = trace.requests;
          if (seen === undefined) continue;
          // Its address has the base path of the vendor, the generated one has not.
          const [seenPath = '', query] = seen.url.split('?');
          const depth = path.split('/').length - 1;
          const url = `/${seenPath.split('/').slice(-depth).join('/')}${query === undefined ? '' : `?${query}`}`;
          const sent: RawRequest = {
            method: seen.method,
            url: url.replaceAll('+', '%20'),
            rawHeaders: Object.entries(seen.headers).flatMap(([key, value]) => [key, String(value)]),
            body: Buffer.from(seen.body),
          };
          const isForm = described.bodies.some(({ mediaType }) => mediaType === formType);
          const hand = isForm && takeApart(sent).mediaType === 'application/json' ? asForm(sent) : sent;
          if (hand !== sent) found.push(`${title}: mediaType : hand-written 'application/json', generated '${formType}'`);
          try {
            const decoded = decodeRequest(hand, document, described, () => undefined);
            const given = parametersOfArguments(tools.kernel.registry.get(name), definition['execution'] as never, decoded, path);
            const reason = await tools.call(name, given.parameters).then(() => '', messageOf);
            const [request] = receiver.take();
            if (request === undefined) found.push(`${title}: not sent: ${reason}`);
            else {
              const compared = { document, operation: described, given: { parameters: new Map(), mediaType: undefined, body: undefined } };
              for (const { part, name: pair, ours, theirs } of differencesOf(takeApart(hand), takeApart(request), compared)) {
                // Each definition chooses the order of different names.
                if (pair === 'order') continue;
                found.push(`${title}: ${part} ${pair ?? ''}: hand-written ${short(ours)}, generated ${short(theirs)}`);
              }
            }
          } catch (error) {
            found.push(`${title}: ${messageOf(error)}`);
          }
        }
        const reasons = handWrittenDifferences.filter((one) => one.tool.test(tool.name));
        const unexplained = found.filter((one) => !reasons.some(({ finding }) => finding.test(one)));
        expect(unexplained).to.deep.equal([]);
      });
  });
}

/** Returns a request with JSON as the form that has its members: objects and lists are JSON there. */
function asForm(request: RawRequest): RawRequest {
  // Own text: a body that the suite's tool sent.
  const members = Object.entries(JSON.parse(request.body.toString('utf8')) as Readonly<Record<string, unknown>>);
  const pairs = members.map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  const rawHeaders = request.rawHeaders.map((text) => (/^application\/json/.test(text) ? formType : text));
  return { ...request, rawHeaders, body: Buffer.from(new URLSearchParams(pairs).toString()) };
}

function short(value: unknown): string {
  return inspect(value, { depth: 6, breakLength: Number.POSITIVE_INFINITY }).slice(0, 300);
}
