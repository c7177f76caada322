import { expect } from 'chai';
import type { Completer, DiscoverSink, Prompt, ReadContext, ResourceTemplate } from '../../../../kernel/index.ts';
import { formatProblem } from '../../../../kernel/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { type Connected, connect, gate, refusal, source } from '../support/client.ts';

const invalid = -32602;
const internal = -32603;
const secret = 'planted-secret-value';

const says = (text: string) => [{ role: 'user' as const, content: { type: 'text' as const, text } }];

/** A prompt that says its arguments. */
const review: Prompt = {
  name: 'review',
  title: 'Review',
  description: 'Reviews a file.',
  arguments: [{ name: 'file', description: 'Which one.', required: true }, { name: 'style' }],
  get: (values) => says(JSON.stringify(values)),
};

async function offering(fill: (sink: DiscoverSink) => void, pageSize = 1000): Promise<Connected> {
  const kernel = await testKernel({ plugins: [source(fill, 'papers'), secretsEnv({ env: { API_TOKEN: secret } })] });
  await kernel.resolveSecrets(['API_TOKEN']);
  return connect(kernel, { pageSize, caller: 'desk-4' });
}

const withPrompts = (...prompts: readonly Prompt[]) => offering((sink) => prompts.forEach((prompt) => void sink.addPrompt(prompt)));

const failing = (error: unknown) => () => {
  throw error;
};

describe('prompts', () => {
  it('are listed in the order of their names, with their arguments', async () => {
    const bare: Prompt = { name: 'bare', get: () => says('x') };
    const { client } = await withPrompts(review, bare);
    expect((await client.listPrompts()).prompts).to.deep.equal([
      { name: 'bare', arguments: [] },
      {
        name: 'review',
        title: 'Review',
        description: 'Reviews a file.',
        arguments: [{ name: 'file', description: 'Which one.', required: true }, { name: 'style' }],
      },
    ]);
  });

  it('come in pages', async () => {
    const { client } = await offering((sink) => ['b', 'c', 'a'].forEach((name) => void sink.addPrompt({ ...review, name })), 2);
    const first = await client.listPrompts();
    const second = await client.listPrompts({ cursor: first.nextCursor });
    expect([first, second].map(({ prompts }) => prompts.map(({ name }) => name))).to.deep.equal([['a', 'b'], ['c']]);
    expect(second.nextCursor).to.equal(undefined);
    await refusal(client.listPrompts({ cursor: 'x' }), invalid);
  });

  it('give their messages, made from the arguments', async () => {
    const { client } = await withPrompts(review);
    const { messages, description } = await client.getPrompt({ name: 'review', arguments: { file: 'a.ts', style: '' } });
    expect(messages).to.deep.equal(says('{"file":"a.ts","style":""}'));
    expect(description).to.equal('Reviews a file.');
  });

  it('give every kind of content, from both roles', async () => {
    const messages = [
      ...says('hi'),
      { role: 'assistant' as const, content: { type: 'image' as const, data: 'AAE=', mimeType: 'image/png' } },
      { role: 'user' as const, content: { type: 'resource' as const, resource: { uri: 'a:1', text: 'x' } } },
      { role: 'user' as const, content: { type: 'resource_link' as const, uri: 'a:1', name: 'x' } },
    ];
    const { client } = await withPrompts({ name: 'p', get: async () => messages });
    expect(await client.getPrompt({ name: 'p' })).to.deep.equal({ messages });
  });

  it('learn who asks, and that nobody waits any more', async () => {
    const [started, stopped] = [gate<ReadContext>(), gate()];
    const get: Prompt['get'] = (_, context) => {
      context.signal.addEventListener('abort', () => stopped.open());
      started.open(context);
      return new Promise(() => {});
    };
    const { client } = await withPrompts({ name: 'p', get });
    const cancel = new AbortController();
    client.getPrompt({ name: 'p' }, { signal: cancel.signal }).catch(() => {});
    expect((await started.opened).caller).to.equal('desk-4');
    cancel.abort();
    await stopped.opened;
  });

  const wrong: { what: string; params: { name: string; arguments?: Record<string, string> }; message: string }[] = [
    { what: 'a name that nobody has', params: { name: 'reveiw' }, message: 'There is no prompt "reveiw". Did you mean "review"?' },
    { what: 'no arguments', params: { name: 'review' }, message: 'The arguments of the prompt "review" are wrong: "file" is required' },
    {
      what: 'an unknown argument',
      params: { name: 'review', arguments: { file: 'a', stlye: 'b' } },
      message: 'The arguments of the prompt "review" are wrong: "stlye" is not an argument of it. Did you mean "style"?',
    },
    {
      what: 'several mistakes',
      params: { name: 'review', arguments: { flie: 'a' } },
      message: 'The arguments of the prompt "review" are wrong: "file" is required; "flie" is not an argument of it. Did you mean "file"?',
    },
  ];
  for (const { what, params, message } of wrong) {
    it(`are refused with ${what}`, async () => {
      const { client } = await withPrompts(review);
      expect((await refusal(client.getPrompt(params), invalid)).message).to.equal(`MCP error ${invalid}: ${message}`);
    });
  }

  it('are refused with an argument that is no text', async () => {
    const { client } = await withPrompts(review);
    await refusal(client.getPrompt({ name: 'review', arguments: { file: 7 as never } }), invalid);
  });

  it('are refused with long names, briefly', async () => {
    const { client } = await withPrompts(review);
    const long = 'x'.repeat(100_000);
    for (const params of [{ name: long }, { name: 'review', arguments: { file: 'a', [long]: '' } }]) {
      expect((await refusal(client.getPrompt(params), invalid)).message).to.have.length.below(500);
    }
  });

  it('that fail say so under the name of their plugin, with secrets masked', async () => {
    const { client, sent } = await withPrompts({ name: 'p', get: failing(new Error(`no ${secret}`)) });
    const { message, data } = await refusal(client.getPrompt({ name: 'p' }), internal);
    expect(message).to.include('PLUGIN_FAILED: Plugin "papers" failed to give the prompt "p": no [secret API_TOKEN]');
    expect(data).to.include({ code: 'PLUGIN_FAILED', plugin: 'papers' });
    expect(JSON.stringify(sent)).to.not.include(secret);
  });

  for (const wrong of ['text', null, [{ role: 'user', content: 'text' }], [{ role: 'system', content: { type: 'text', text: 'x' } }]]) {
    it(`that give ${JSON.stringify(wrong)} fail under the name of their plugin`, async () => {
      const { client } = await withPrompts({ name: 'p', get: () => wrong as never });
      expect((await refusal(client.getPrompt({ name: 'p' }), internal)).message)
        .to.include('Plugin "papers"')
        .and.include('"p"');
    });
  }

  it('are masked where they hold a secret', async () => {
    const { client } = await withPrompts({ name: 'p', get: () => says(`Use ${secret}.`) });
    expect((await client.getPrompt({ name: 'p' })).messages).to.deep.equal(says('Use [secret API_TOKEN].'));
  });

  it('keep the first of a name and say both owners', async () => {
    const add = (name: string) => source((sink) => sink.addPrompt({ ...review, title: name }), name);
    const kernel = await testKernel({ plugins: [add('first'), add('second')] });
    expect(kernel.registry.problems.map(formatProblem)).to.deep.equal([
      'second the prompt "review" is already defined by plugin first; that one is used. Rename one of the two (plugin second is the other)',
    ]);
    expect(kernel.registry.prompts.get('review')?.title).to.equal('first');
  });

  const changes: { what: string; after: readonly Prompt[]; changed: boolean }[] = [
    { what: 'a new prompt', after: [review, { ...review, name: 'other' }], changed: true },
    { what: 'a prompt that is gone', after: [], changed: true },
    { what: 'another argument', after: [{ ...review, arguments: [{ name: 'file' }] }], changed: true },
    { what: 'another function behind it', after: [{ ...review, get: () => says('new') }], changed: false },
  ];
  for (const { what, after, changed } of changes) {
    it(`are ${changed ? '' : 'not '}announced as another list for ${what}`, async () => {
      let offered: readonly Prompt[] = [review];
      const kernel = await testKernel({ plugins: [source((sink) => offered.forEach((prompt) => void sink.addPrompt(prompt)))] });
      const { client, heard } = await connect(kernel);
      await client.listPrompts();
      offered = after;
      await kernel.reload();
      expect(await heard('notifications/prompts/list_changed')).to.have.length(changed ? 1 : 0);
      expect(await heard('notifications/tools/list_changed')).to.deep.equal([]);
    });
  }
});

describe('completion', () => {
  const files = ['main.ts', 'make.ts', 'page.css'];
  const startingWith =
    (values: readonly string[]): Completer =>
    (typed) =>
      values.filter((value) => value.startsWith(typed));
  const byKind: Completer = async (typed, { kind = 'any' }) => [`${kind}:${typed}`];
  const many =
    (count: number): Completer =>
    () =>
      [...Array(count).keys()].map((n) => `v${n}`);

  /** A prompt and a template whose argument or variable `it` is completed this way, and `plain` by nobody. */
  async function completing(complete: Completer, prepare: (connected: Connected) => void = () => {}) {
    const prompt: Prompt = { name: 'p', arguments: [{ name: 'it', complete }, { name: 'kind' }, { name: 'plain' }], get: () => [] };
    const template: ResourceTemplate = {
      uriTemplate: 'n:{it}/{kind}/{plain}',
      name: 't',
      read: () => undefined,
      complete: { it: complete },
    };
    const connected = await offering((sink) => {
      sink.addPrompt(prompt);
      sink.addResourceTemplate(template);
    });
    prepare(connected);
    const ask = (kind: 'prompt' | 'template', name: string, value: string, given?: Record<string, string>) =>
      connected.client.complete({
        ref: kind === 'prompt' ? { type: 'ref/prompt', name: 'p' } : { type: 'ref/resource', uri: template.uriTemplate },
        argument: { name, value },
        ...(given === undefined ? {} : { context: { arguments: given } }),
      });
    return { ...connected, ask };
  }

  const whole = (values: readonly string[]) => ({ values, total: values.length, hasMore: false });
  const hundred = [...Array(100).keys()].map((n) => `v${n}`);
  const rows: { what: string; complete: Completer; name?: string; typed: string; given?: Record<string, string>; expected: object }[] = [
    { what: 'nothing typed', complete: startingWith(files), typed: '', expected: whole(files) },
    { what: 'a prefix', complete: startingWith(files), typed: 'ma', expected: whole(['main.ts', 'make.ts']) },
    { what: 'nothing that fits', complete: startingWith(files), typed: 'zzz', expected: whole([]) },
    { what: 'other arguments', complete: byKind, typed: 'x', given: { kind: 'red' }, expected: whole(['red:x']) },
    { what: 'no other arguments', complete: byKind, typed: 'x', expected: whole(['any:x']) },
    { what: '100 values', complete: many(100), typed: '', expected: whole(hundred) },
    { what: '101 values', complete: many(101), typed: '', expected: { values: hundred, total: 101, hasMore: true } },
    { what: 'an argument that nobody completes', complete: many(3), name: 'plain', typed: '', expected: whole([]) },
    { what: 'a secret', complete: () => [`a-${secret}`], typed: '', expected: whole(['a-[secret API_TOKEN]']) },
  ];
  for (const { what, complete, name = 'it', typed, given, expected } of rows) {
    it(`of prompt arguments and template variables, with ${what}`, async () => {
      const { ask } = await completing(complete);
      for (const kind of ['prompt', 'template'] as const) {
        expect((await ask(kind, name, typed, given)).completion, kind).to.deep.equal(expected);
      }
    });
  }

  for (const kind of ['prompt', 'template'] as const) {
    for (const name of ['other', 'constructor', 'toString', '__proto__']) {
      it(`refuses ${name}, which the ${kind} does not have`, async () => {
        const { ask } = await completing(many(3));
        expect((await refusal(ask(kind, name, 'x'), invalid)).message).to.include(`"${name}"`);
      });
    }

    it(`of a ${kind} that fails says so under the name of its plugin, with secrets masked`, async () => {
      const { ask, sent } = await completing(failing(new Error(`no ${secret}`)));
      const { message } = await refusal(ask(kind, 'it', 'x'), internal);
      expect(JSON.stringify(sent)).to.not.include(secret);
      expect(message).to.include('Plugin "papers"').and.include('no [secret API_TOKEN]');
    });
  }

  const unknown = [
    { ref: { type: 'ref/prompt', name: 'q' }, says: 'There is no prompt "q" to complete.' },
    { ref: { type: 'ref/resource', uri: 'n:{other}' }, says: 'There is no resource template "n:{other}" to complete.' },
    { ref: { type: 'ref/resource', uri: 'x'.repeat(5000) }, says: `"${'x'.repeat(100)}" to complete.` },
  ] as const;
  for (const { ref, says: message } of unknown) {
    it(`refuses ${JSON.stringify(ref).slice(0, 60)}`, async () => {
      const { client } = await completing(many(1));
      expect((await refusal(client.complete({ ref, argument: { name: 'it', value: '' } }), invalid)).message).to.include(message);
    });
  }
});
