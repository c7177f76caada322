import type { CommandInvocation } from '../../../../../kernel/index.ts';
import { isHttps, type Plan } from '../plan.ts';
import { type TestResult, testServer } from './self-test.ts';

/** Tests the server of the plan, over stdio when both transports are shown. Undefined when it cannot be tested. */
export async function testPlan({ interrupted, note }: CommandInvocation, plan: Plan): Promise<TestResult | undefined> {
  const transport = plan.transports[0] ?? 'stdio';
  const { server } = plan.project.scan;
  if (transport === 'http' && isHttps(server)) {
    note('The server was not tested: it has a certificate that is for its clients to trust.\n');
    return undefined;
  }
  const token = server.mcpToken === undefined ? {} : { token: server.mcpToken };
  return testServer(plan.launches[transport], transport, { signal: interrupted(), ...token });
}
