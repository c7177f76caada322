import { excerpt } from '../../../../../kernel/index.ts';
import { type ContractCheck, failIf } from '../contract-check.ts';
import { type ImportEffects, importEffects } from '../import-effects.ts';
import { SkippedCheck } from '../subject.ts';

const inApply = 'Do it in apply(), or when a tap first needs it, and end it in a tap on "dispose"';

/** Checks of the import of the module, which must only define things: it is imported at every start, and by tools that only list plugins. */
export const importingChecks: readonly ContractCheck[] = [
  check('exports the plugin by default, or as its only function', ({ isPlugin }) => [
    !isPlugin,
    'A configuration that names the module finds no plugin in it. Write "export default definePlugin({ … })".',
  ]),
  check('prints nothing when it is imported', ({ printed }) => [
    printed !== '',
    `Importing the module prints "${excerpt(printed)}". Standard output belongs to the protocol: use the logger that apply() gets.`,
  ]),
  check('leaves the environment alone when it is imported', ({ variables }) => [
    variables.length > 0,
    `Importing the module changes environment variables: ${variables.join(', ')}. Others in the process read them, and programs inherit them.`,
  ]),
  check('adds no global variable when it is imported', ({ globals }) => [
    globals.length > 0,
    `Importing the module adds global variables: ${globals.join(', ')}. Keep what the plugin knows inside apply().`,
  ]),
  check('does not listen to the process when it is imported', ({ listeners }) => [
    listeners.length > 0,
    `Importing the module adds listeners to process: ${listeners.join(', ')}. ${inApply}.`,
  ]),
  check('opens no connection and starts no program when it is imported', ({ connections, programs }) => [
    connections + programs > 0,
    `Importing the module opens ${connections} connections and starts ${programs} programs. ${inApply}.`,
  ]),
  check('leaves nothing running when it is imported', ({ resources, connections, programs }) => [
    resources.length > 0 && connections + programs === 0,
    `After its import something keeps the process alive: ${resources.join(', ')}. ${inApply}.`,
  ]),
];

/** Returns a check of the import's effects, which are measured once. It needs the option `module`. */
function check(title: string, judge: (effects: ImportEffects) => readonly [isBroken: boolean, message: string]): ContractCheck {
  return {
    title,
    async run(subject) {
      const { module } = subject.settings;
      if (module === undefined) throw new SkippedCheck('no module is named');
      const effects = await subject.once('import', () => importEffects(module));
      failIf(effects.failure !== undefined, `The module cannot be imported: ${effects.failure}`);
      failIf(...judge(effects));
    },
  };
}
