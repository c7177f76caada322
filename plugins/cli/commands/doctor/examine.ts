import path from 'node:path';
import { type CommandInvocation, type Finding, type Kernel, type Logger, messageOf, type Plugin } from '../../../../kernel/index.ts';
import { checkStore } from '../../../shared/checks/check-store.ts';
import { pluginChecks, runPluginCheck } from '../../../shared/checks/plugin-checks.ts';
import { StoreProbe } from '../../../shared/state/store-probe.ts';
import { checkApproval } from './checks/check-approval.ts';
import { checkClock } from './checks/check-clock.ts';
import { checkCommands } from './checks/check-commands.ts';
import { checkConfiguration, type KernelResult } from './checks/check-configuration.ts';
import { checkEnvironment } from './checks/check-environment.ts';
import { checkGit } from './checks/check-git.ts';
import { checkNode } from './checks/check-node.ts';
import { checkProcesses } from './checks/check-processes.ts';
import { checkSecrets } from './checks/check-secrets.ts';
import { checkSources } from './checks/check-sources.ts';
import { checkTimeZones } from './checks/check-time-zones.ts';
import { checkTools } from './checks/check-tools.ts';
import { checkUnverifiedApproval } from './checks/check-unverified-approval.ts';
import { type PluginRow, pluginRows } from './plugin-rows.ts';

export interface Diagnosis {
  readonly findings: readonly Finding[];
  /** Empty when the configuration cannot be used. */
  readonly plugins: readonly PluginRow[];
}

type Check = readonly [subject: string, look: () => Finding[] | Promise<Finding[]>];

/** Subjects in the order of the report: the machine, the configuration, the tools. Those of other plugins come last. */
const order: readonly string[] = [
  'Node',
  'Python',
  'OpenSSL',
  'git',
  'Collections',
  'Sandbox',
  'Processes',
  'Clock',
  'Time zones',
  'Port',
  'Logger',
  'Folder',
  'Configuration',
  'Env file',
  'Roots',
  'Audit trail',
  'Traces',
  'Store',
  'Calls',
  'Tools',
  'Tool folders',
  'Skill folders',
  'Source',
  'Commands',
  'Secrets',
  'Approval',
];

function positionOf(subject: string): number {
  const index = order.indexOf(subject);
  return index === -1 ? order.length : index;
}

/** Discards log lines: the report says the same once. */
const silent: Logger = { error() {}, warn() {}, info() {}, debug() {} };

/**
 * Runs all checks in parallel. A check that fails does not stop the others. `subject`: runs only the checks of this subject, the thorough ones too,
 * and that of the configuration.
 */
export async function examine(
  invocation: Pick<CommandInvocation, 'createKernel' | 'configFile' | 'env' | 'program' | 'builtIn'>,
  subject?: string,
): Promise<Diagnosis> {
  const { configFile, env, program, builtIn } = invocation;
  const store = new StoreProbe();
  const opened = await tryCreateKernel(invocation, store.plugin);
  const kernel = 'kernel' in opened ? opened.kernel : undefined;
  const { cwd, findings: lost } = workingFolder();
  const folder = configFile === undefined ? cwd : path.dirname(configFile);
  const written = [...program.slice(-1), ...(configFile === undefined ? [] : [configFile])];
  const withKernel = async (check: string, look: (kernel: Kernel) => Finding[] | Promise<Finding[]>): Promise<Finding[]> =>
    kernel === undefined ? [{ check, state: 'not checked', message: 'the configuration cannot be used' }] : look(kernel);
  const services = { kernel, cwd: folder, env, state: kernel === undefined ? undefined : store.state };
  const own: readonly Check[] = [
    ['Node', () => [checkNode(process.versions.node)]],
    ['git', async () => [await checkGit(services)]],
    ['Processes', async () => [await checkProcesses()]],
    ['Clock', async () => [await checkClock(Date.now(), written)]],
    ['Time zones', () => [checkTimeZones()]],
    ['Logger', () => checkEnvironment(env)],
    ['Folder', () => lost],
    ['Configuration', () => [checkConfiguration(configFile, opened)]],
    ['Tools', () => withKernel('Tools', (open) => checkTools(open, cwd))],
    ['Source', () => (kernel === undefined ? [] : checkSources(kernel))],
    ['Commands', () => (kernel === undefined ? [] : checkCommands(kernel, env))],
    ['Secrets', () => withKernel('Secrets', (open) => checkSecrets(open, folder))],
    ['Approval', () => withKernel('Approval', (open) => [checkApproval(open), ...checkUnverifiedApproval(open)])],
  ];
  const found = pluginChecks(kernel, builtIn).filter(({ check }) => !check.isThorough || check.name === subject);
  // A store of a third party may bring no check.
  const isStoreChecked = found.some(({ check, isListed }) => isListed && check.name === 'Store');
  const ofStore: Check = ['Store', async () => [...(await checkStore('the store', services))]];
  const ofPlugins = found.map((one): Check => [one.check.name, () => runPluginCheck(one, services)]);
  const all = [...own, ...(isStoreChecked ? [] : [ofStore]), ...ofPlugins];
  const chosen = subject === undefined ? all : all.filter(([name]) => name === subject || name === 'Configuration');
  const checks = chosen.sort(([one], [other]) => positionOf(one) - positionOf(other));
  try {
    const findings = (await Promise.all(checks.map(([check, look]) => runCheck(check, look)))).flat();
    const isMissing = subject !== undefined && !findings.some(({ check }) => check.startsWith(subject));
    if (isMissing) findings.push({ check: subject, state: 'not checked', message: 'the configuration has none, or cannot be used' });
    return {
      findings: withoutRepetitions(findings),
      plugins: kernel === undefined || subject !== undefined ? [] : pluginRows(kernel).filter(({ name }) => name !== store.plugin.name),
    };
  } finally {
    await kernel?.close().catch(() => {});
  }
}

async function tryCreateKernel({ createKernel }: Pick<CommandInvocation, 'createKernel'>, probe: Plugin): Promise<KernelResult> {
  try {
    return { kernel: await createKernel({}, (options) => ({ ...options, plugins: [...options.plugins, probe], logger: silent })) };
  } catch (failure) {
    return { failure };
  }
}

/** Two plugins may look at one file, such as `.env`. */
function withoutRepetitions(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

async function runCheck(check: string, look: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [{ check, state: 'not checked', message: messageOf(error) }];
  }
}

/** Returns the working directory; when it was deleted, the root folder and a finding. */
function workingFolder(): { readonly cwd: string; readonly findings: Finding[] } {
  try {
    return { cwd: process.cwd(), findings: [] };
  } catch (error) {
    const message = `the working directory is gone, or cannot be read (${(error as NodeJS.ErrnoException).code ?? messageOf(error)})`;
    const hint = 'Go to another folder (cd), or name one with --cwd.';
    return { cwd: path.parse(process.execPath).root, findings: [{ check: 'Folder', state: 'problem', message, hint }] };
  }
}
