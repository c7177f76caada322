import { apiVersion, type Command, type ConfiguredCheck, describeValue, isPlainObject, type Plugin } from '../../../../../kernel/index.ts';
import { type ContractCheck, fail, failIf } from '../contract-check.ts';
import type { Subject } from '../subject.ts';

/** Checks of the plugin object, without a kernel. */
export const shapeChecks: readonly ContractCheck[] = [
  {
    title: 'is made by its factory',
    run({ factory, options }) {
      failIf(typeof factory !== 'function', `Expected the factory that definePlugin gives, received ${describeValue(factory)}.`);
      const made = factory(options) as unknown;
      const isPlugin = isPlainObject(made) && typeof made['apply'] === 'function';
      failIf(!isPlugin, `The factory gives ${describeValue(made)}: expected a plugin with apply(). Make the factory with definePlugin.`);
    },
  },
  {
    title: 'has a name of lower-case words with hyphens',
    run(subject) {
      const { name } = subject.plugin();
      const isName = typeof name === 'string' && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);
      failIf(!isName, `The name is ${describeValue(name)}. Logs, errors and "before" use it: write it like "cache-results".`);
    },
  },
  {
    title: 'says for which version of the API it is made',
    run(subject) {
      const made = subject.plugin().apiVersion;
      failIf(made !== apiVersion, `apiVersion is ${describeValue(made)}: expected ${apiVersion}, the one that @toolkit/core exports.`);
    },
  },
  {
    title: 'has a version as npm writes it, if any',
    run(subject) {
      const { version } = subject.plugin();
      const isVersion = version === undefined || /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/.test(version);
      failIf(!isVersion, `The version is ${describeValue(version)}. Write it like "1.2.0", or leave it out.`);
    },
  },
  {
    title: 'is a new plugin each time that its factory is called',
    run(subject) {
      const message = 'The factory gives the same object twice. Two entries of a configuration must not share one: make it in the factory.';
      const [first, second] = [subject.plugin(), subject.plugin()];
      failIf(first === second, message);
    },
  },
  {
    title: 'can be given other options, which leave the first plugin as it was',
    run(subject) {
      const plugin = subject.plugin();
      const more = plugin.withOptions?.({ 'x-contract': true });
      const message = 'withOptions() must give a new plugin with the options laid over its own. Make the plugin with definePlugin.';
      failIf(!isPlainObject(more?.options) || more.options['x-contract'] !== true, message);
      failIf(more === plugin || (isPlainObject(plugin.options) && 'x-contract' in plugin.options), message);
    },
  },
  {
    title: 'brings commands that have a name, a description and run()',
    run: (subject) =>
      forCommands(subject, ({ name, description, run }) => {
        const isName = typeof name === 'string' && /^[a-z][a-z0-9-]*( [a-z][a-z0-9-]*)*$/.test(name);
        failIf(!isName, `A command is named ${describeValue(name)}: expected lower-case words, such as "cache clear".`);
        failIf(
          typeof description !== 'string' || description === '',
          `The command "${name}" has no description, which "toolkit --help" shows.`,
        );
        failIf(typeof run !== 'function', `The command "${name}" has no run(): received ${describeValue(run)}.`);
      }),
  },
  {
    title: 'brings each command once',
    run(subject) {
      const names = commandsOf(subject.plugin()).map(({ name }) => name);
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      failIf(twice !== undefined, `The command "${twice}" is there twice. Keep one.`);
    },
  },
  {
    title: 'describes the flags of its commands',
    run: (subject) =>
      forCommands(subject, ({ name, flags = [] }) => {
        for (const { flag, description } of flags) {
          failIf(!isFlag(flag), `The flag "${flag}" of "${name}": write it like "--limit <number>".`);
          failIf(description === '', `The flag "${flag}" of "${name}" has no description, which its help shows.`);
        }
      }),
  },
  {
    title: 'has an option in its schema for each of its flags',
    run(subject) {
      const { flags = {}, optionsSchema, combineFlags } = subject.plugin();
      const { properties = {} } = (optionsSchema ?? {}) as { readonly properties?: object };
      for (const [option, { flag, description }] of Object.entries(flags)) {
        failIf(!isFlag(flag), `The flag ${describeValue(flag)} of the option "${option}": write it like "--limit <number>".`);
        failIf(!description, `The flag "${flag}" has no description, which the help of commands shows.`);
        const isOption = Object.hasOwn(properties, combineFlags === undefined ? option : (option.split('.')[0] ?? ''));
        failIf(!isOption, `The flag "${flag}" sets "${option}", which optionsSchema does not have. Correct one of them.`);
      }
    },
  },
  {
    title: 'brings checks that have a subject and run()',
    run(subject) {
      const { checks = [] } = subject.plugin();
      if (!Array.isArray(checks)) fail(`"checks" is ${describeValue(checks)}: expected a list.`);
      for (const { name, run } of checks as readonly ConfiguredCheck[]) {
        const isSubject = typeof name === 'string' && /^\S(.{0,38}\S)?$/.test(name);
        failIf(!isSubject, `A check is named ${describeValue(name)}: expected its subject in a word or two, such as "Env file".`);
        failIf(typeof run !== 'function', `The check "${name}" has no run(): received ${describeValue(run)}.`);
      }
    },
  },
];

function isFlag(flag: unknown): boolean {
  return typeof flag === 'string' && /^(-\w, )?--[a-z][a-z0-9-]*( [<[].+[>\]])?$/.test(flag);
}

function commandsOf({ commands = [] }: Plugin): readonly Command[] {
  if (!Array.isArray(commands)) fail(`"commands" is ${describeValue(commands)}: expected a list.`);
  return commands;
}

function forCommands(subject: Subject, judge: (command: Command) => void): void {
  for (const command of commandsOf(subject.plugin())) judge(command);
}
