import { expect } from 'chai';
import { type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { tool } from '../../../plugins/toolkit/decorator.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { rejection } from '../../support/rejection.ts';
import { testKernel } from '../../support/test-kernel.ts';

const greet = {
  name: 'greet',
  description: 'Greets.',
  parameters: { who: { type: 'string', required: true } },
  execution: { type: 'function', handler: ({ who }: { who: string }) => `hello ${who}` },
};

const kernel = (): Promise<Kernel> => testKernel({ tools: [greet] });

/** Calls a decorator as compilers do that know nothing of the standard. */
function legacy(target: object, key: string): void {
  const decorate = tool('greet') as unknown as (...given: unknown[]) => PropertyDescriptor;
  Object.defineProperty(target, key, decorate(target, key, Object.getOwnPropertyDescriptor(target, key)));
}

interface Greeting {
  readonly who: string;
}

class Greeter {
  readonly toolkit: unknown;

  constructor(toolkit: unknown) {
    this.toolkit = toolkit;
  }

  @tool('greet')
  greet(_parameters: Greeting): Promise<string> {
    throw new Error('replaced by the tool');
  }

  @tool('greet')
  #secretly(_parameters: Greeting): Promise<string> {
    throw new Error('replaced by the tool');
  }

  secretly(parameters: Greeting): Promise<string> {
    return this.#secretly(parameters);
  }

  @tool('gret')
  misspelt(_parameters: Greeting): Promise<string> {
    throw new Error('replaced by the tool');
  }
}

describe('@tool', () => {
  it('replaces a method with a call of the tool by the toolkit of the object, private methods too', async () => {
    const greeter = new Greeter(await kernel());
    expect(await greeter.greet({ who: 'ada' })).to.equal('hello ada');
    expect(await greeter.secretly({ who: 'bob' })).to.equal('hello bob');
    expect(greeter.greet.name).to.equal('greet');
  });

  it('calls with whatever has execute, so that a host can add caller and credentials', async () => {
    const calls: unknown[] = [];
    const greeter = new Greeter({ execute: async (...given: unknown[]) => calls.push(given) });
    await greeter.greet({ who: 'ada' });
    expect(calls).to.deep.equal([['greet', { who: 'ada' }]]);
  });

  it('calls with one toolkit as @toolkit.tool, whatever the object has', async () => {
    const toolkit = await coreToolkit();
    class Texts {
      @toolkit.tool('text_slugify')
      slug(_parameters: { text: string }): Promise<{ slug: string }> {
        throw new Error('replaced by the tool');
      }
    }
    expect(await new Texts().slug({ text: 'Two Words' })).to.deep.equal({ slug: 'two-words' });
  });

  it('takes the calling of decorators that jiti and NestJS have', async () => {
    const open = await kernel();
    class Old {
      static readonly toolkit = open;
      readonly toolkit = open;
    }
    Object.defineProperty(Old.prototype, 'hail', { value: () => {}, configurable: true, writable: true });
    Object.defineProperty(Old, 'hail', { value: () => {}, configurable: true, writable: true });
    legacy(Old.prototype, 'hail');
    legacy(Old, 'hail');
    type Hailing = { hail(parameters: Greeting): Promise<string> };
    expect(await (new Old() as unknown as Hailing).hail({ who: 'ada' })).to.equal('hello ada');
    expect(await (Old as unknown as Hailing).hail({ who: 'bob' })).to.equal('hello bob');
  });

  it('says at the first call that there is no such tool, with the nearest', async () => {
    const error = await rejection(new Greeter(await kernel()).misspelt({ who: 'ada' }), 'TOOL_NOT_FOUND');
    expect(error.message).to.include('Did you mean "greet"?');
  });

  const owners = { undefined: new Greeter(undefined), 'an object without execute': new Greeter({}) };
  for (const [what, greeter] of Object.entries(owners))
    it(`says what to do where the property toolkit is ${what}`, async () => {
      const error = await rejection(greeter.greet({ who: 'ada' }), 'CONFIG_INVALID');
      expect(error.message).to.include('property "toolkit"').and.include("@toolkit.tool('greet')");
    });

  it('says what to do where a method is called without its object', async () => {
    const { greet: alone } = new Greeter(await kernel());
    await rejection(alone({ who: 'ada' }), 'CONFIG_INVALID');
  });

  for (const [what, given] of Object.entries({ 'a text': 'ada', 'a list': ['ada'], null: null }))
    it(`refuses ${what} in place of the parameters`, async () => {
      const error = await rejection(new Greeter(await kernel()).greet(given as never), 'INVALID_PARAMETERS');
      expect(error.message).to.include('one object with the parameters');
    });

  const decorate = tool('greet') as unknown as (...given: unknown[]) => unknown;
  const wrong: Readonly<Record<string, () => unknown>> = {
    'a class': () => decorate(class {}, { kind: 'class', name: 'Greeter' }),
    'a class, called the old way': () => decorate(class {}),
    'a field': () => decorate(undefined, { kind: 'field', name: 'greet' }),
    'a field, called the old way': () => decorate({}, 'greet', undefined),
    'a getter': () => decorate(() => {}, { kind: 'getter', name: 'greet' }),
    'a getter, called the old way': () => decorate({}, 'greet', { get: () => 1 }),
    'a parameter, called the old way': () => decorate({}, 'greet', 0),
    'a method with two arguments': () => decorate((_a: unknown, _b: unknown) => {}, { kind: 'method', name: 'greet' }),
  };
  for (const [what, use] of Object.entries(wrong))
    it(`refuses ${what} when the class is made`, () => {
      expect(use)
        .to.throw(ToolkitError)
        .that.satisfies(({ code, message }: ToolkitError) => code === 'CONFIG_INVALID' && message.includes("@tool('greet')"));
    });
});
