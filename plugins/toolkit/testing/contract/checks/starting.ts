import { setImmediate } from 'node:timers/promises';
import { apiVersion, messageOf } from '../../../../../kernel/index.ts';
import { broken, brokenIf, type ContractCheck } from '../contract-check.ts';
import { changesBetween, type ProcessChanges, processState } from '../process-state.ts';
import type { Subject } from '../subject.ts';

/** Checks of the start of a kernel. */
export const startingChecks: readonly ContractCheck[] = [
  {
    title: 'starts with its options',
    async run(subject) {
      // Another check reports that.
      if (subject.plugin().apiVersion !== apiVersion) return;
      const kit = await subject.start().catch((error: unknown) => broken(`Does not start: ${messageOf(error)}`));
      await kit.close().catch(() => {});
    },
  },
  {
    title: 'does something: taps a hook, adds to the kernel, or brings a command',
    async run(subject) {
      await subject.within(async () => {});
      const isIdle = subject.record.added.length === 0 && (subject.plugin().commands ?? []).length === 0;
      brokenIf(isIdle, 'Taps no hook, adds nothing with kernel.extend, and brings no command. Tap a hook inside apply().');
    },
  },
  {
    title: 'has added everything when apply() ends',
    async run(subject) {
      await subject.calling(async (kit) => {
        await kit.reload();
        for (let turn = 0; turn < 20; turn++) await setImmediate();
      });
      const [late] = subject.record.late;
      brokenIf(late !== undefined, `Uses ${late} after apply() has ended. Await what comes before it, or make apply() wait for it.`);
    },
  },
  {
    title: 'prints nothing by itself',
    async run(subject) {
      const { stdout, stderr } = await subject.ordinaryCall();
      const how = 'Use the logger that apply() and each tap get, which masks secrets. Standard output belongs to the protocol.';
      brokenIf(stdout !== '', `Prints on standard output: "${stdout.slice(0, 100).trim()}". ${how}`);
      brokenIf(stderr !== '', `Prints on standard error: "${stderr.slice(0, 100).trim()}". ${how}`);
    },
  },
  {
    title: 'leaves environment variables as they are',
    run: (subject) =>
      judge(subject, ({ variables }) => [
        variables.length > 0,
        `Changes environment variables: ${variables.join(', ')}. Others in the process read them, and programs inherit them.`,
      ]),
  },
  {
    title: 'leaves the working directory as it is',
    run: (subject) =>
      judge(subject, ({ isFolderChanged }) => [
        isFolderChanged,
        'Changes the working directory of the process. Resolve paths from kernel.cwd.',
      ]),
  },
  {
    title: 'adds no global variable',
    run: (subject) =>
      judge(subject, ({ globals }) => [
        globals.length > 0,
        `Adds global variables: ${globals.join(', ')}. Two kernels of a process would share them: keep them inside apply().`,
      ]),
  },
  {
    title: 'starts again from the same plugin object',
    async run(subject) {
      await subject.within(async () => {});
      const plugin = subject.plugin();
      for (const time of ['first', 'second'])
        await subject.start(plugin).then(
          (kit) => kit.close().catch(() => {}),
          (error: unknown) => broken(`Does not start a ${time} time: ${messageOf(error)}. Keep what belongs to one kernel inside apply().`),
        );
    },
  },
];

/** Checks the changes of the process after a kernel was started, used and closed. */
async function judge(subject: Subject, check: (changes: ProcessChanges) => readonly [boolean, string]): Promise<void> {
  const changes = await subject.once('changes', async () => {
    const before = processState();
    await subject.within(async (kit) => void (await kit.call('contract_echo').catch(() => {})));
    return changesBetween(before, processState());
  });
  brokenIf(...check(changes));
}
