import { messageOf, ToolkitError } from '../../../kernel/index.ts';
import { type AnswerVariant, answering, answerVariants, withStranger } from './answers.ts';
import { type Failure, failuresOf, refusal } from './failures.ts';
import { Findings } from './findings.ts';
import { leaksIn } from './leaks.ts';
import { requiredCall } from './request-variants.ts';
import { meaningOf, slackErrorBody, slackErrors } from './slack-errors.ts';
import type { Sources } from './sources.ts';
import { type CallTrace, openVendors, type Vendors, vendorNames } from './vendors.ts';

/** Tests the errors that every tool makes of the failures of its vendor, and that they show no credential. */
export function testFailures({ providers, described }: Sources): void {
  describe('the provider packs and failing vendors', () => {
    let vendors: Vendors;

    before(async () => {
      vendors = await openVendors(vendorNames(providers));
    });

    after(() => vendors.close());

    for (const one of described) {
      const { tool, operation } = one;

      it(`${tool.name} tells the failures of its vendor apart, and shows no credential`, async () => {
        const parameters = requiredCall(vendors.toolkit.kernel.registry.get(tool.name));
        const findings = new Findings();
        for (const failure of failuresOf(one)) {
          const trace = await vendors.call(tool, parameters, failure.answer);
          findings.add(failure.title, [...findingsInFailure(failure, trace, tool.name), ...findingsInTrace(trace)]);
        }
        findings.expectNone();
      });

      it(`${tool.name} passes on members that are new, and masks its credential in them`, async () => {
        const parameters = requiredCall(vendors.toolkit.kernel.registry.get(tool.name));
        const findings = new Findings();
        const [first] = answerVariants(operation.answers) as [AnswerVariant];
        const trace = await vendors.call(tool, parameters, (request, response) => {
          const body = withStranger(first.body, refusal(request));
          answering(body === undefined ? first : { ...first, body })(request, response);
        });
        if (trace.error !== undefined) findings.add(first.title, [messageOf(trace.error)]);
        else if (first.body !== undefined && !JSON.stringify(trace.output).includes('No such luck'))
          findings.add(first.title, ['the new member is not in the output']);
        findings.add(first.title, findingsInTrace(trace));
        findings.expectNone();
      });

      if (tool.provider !== 'slack') continue;
      it(`${tool.name} fails for every "ok": false`, async () => {
        const parameters = requiredCall(vendors.toolkit.kernel.registry.get(tool.name));
        const findings = new Findings();
        for (const code of slackErrors(operation.failure)) {
          const { error } = await vendors.call(tool, parameters, (_, response) => {
            response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(slackErrorBody(code)));
          });
          findings.add(code, findingsInSlackError(code, error));
        }
        findings.expectNone();
      });
    }
  });
}

function findingsInFailure({ code, status, retryAfterMs, saysWhy }: Failure, { error, output }: CallTrace, toolName: string): string[] {
  if (!ToolkitError.is(error)) return [`expected ${code}, received ${error === undefined ? JSON.stringify(output) : messageOf(error)}`];
  const { details, message } = error;
  return [
    ...(error.code === code ? [] : [`expected ${code}, received ${error.code}: ${message}`]),
    ...(status === undefined || details.status === status ? [] : [`the status is ${details.status}, not ${status}`]),
    ...(retryAfterMs === undefined || details.retryAfterMs === retryAfterMs ? [] : [`retryAfterMs is ${details.retryAfterMs}`]),
    ...(message.includes(toolName) || details.tool === toolName ? [] : [`the error does not name the tool: ${message}`]),
    ...(saysWhy !== true || message.includes('No such luck with') ? [] : [`the error does not say what the vendor says: ${message}`]),
    ...(/<\/?\w+>/.test(message) ? [`the message has markup: ${message}`] : []),
  ];
}

function findingsInTrace(trace: CallTrace): string[] {
  return leaksIn(trace).map((name) => `${name} can be read in what the call left behind`);
}

function findingsInSlackError(code: string, error: unknown): string[] {
  if (!ToolkitError.is(error)) return ['the call does not fail'];
  const expected = meaningOf(code);
  return [
    ...(expected === undefined || error.code === expected ? [] : [`expected ${expected}, received ${error.code}`]),
    ...(expected === undefined && ['OUTPUT_INVALID', 'AUTH_FAILED', 'RATE_LIMITED'].includes(error.code) ? [`received ${error.code}`] : []),
    ...(error.details['providerCode'] === code ? [] : [`providerCode is ${String(error.details['providerCode'])}`]),
  ];
}
