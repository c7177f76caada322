import { expect } from 'chai';
import { echoTool } from '../../../support/test-kernel.ts';
import { drivers } from './drivers.ts';
import { png, secret, world } from './host.ts';

/** Returns true for adapters that mark a failure; OpenAI has only its text. */
const marksErrors = (title: string): boolean => !title.startsWith('OpenAI');

for (const [title, open] of Object.entries(drivers))
  describe(`the tools for ${title}`, () => {
    it('are all listed with name, description and parameters, and no credential in any of it', async () => {
      const { kernel } = await world();
      const { listed } = open(kernel);
      expect(Object.keys(listed)).to.have.members([
        'bank_echo',
        'bank_fail',
        'bank_leak',
        'bank_long',
        'bank_pay',
        'bank_picture',
        'bank_progress',
        'bank_wait',
        'toolkit_get_output',
      ]);
      const text = JSON.stringify(listed);
      expect(text).to.include('Test: bank_echo.').and.include('"note"');
      expect(text).to.not.include('BANK_TOKEN').and.not.include(secret);
    });

    it('run as the model asks, and give it what they give', async () => {
      const { kernel, ran, ends } = await world();
      const { text, isError = false } = await open(kernel, { caller: 'ada' }).call('bank_echo', { text: 'hello' });
      expect(text).to.include('hello');
      expect(isError).to.equal(false);
      expect(ran).to.deep.equal(['bank_echo {"text":"hello"}']);
      expect(ends.map(({ origin, caller }) => [origin, caller])).to.deep.equal([['model', 'ada']]);
    });

    const large = { id: 1, big: 7960607143101464577n, note: { ids: [-9007199254740993n] } };
    const written = JSON.stringify(large, (_, value: unknown) => (typeof value === 'bigint' ? `<${value}>` : value)).replace(/"<|>"/g, '');
    const keepsDigits = title.startsWith('OpenAI');
    it(`${keepsDigits ? 'keep' : 'refuse, as the framework has rounded them,'} integers beyond 2^53`, async () => {
      const parameters = {
        id: { type: 'integer' },
        big: { type: 'integer', format: 'int64' },
        note: { type: 'object' },
        amount: { type: 'number' },
      };
      const { kernel } = await world({ tools: [{ ...echoTool(), name: 'take', parameters }] });
      const { call } = open(kernel);
      const { text } = await call('take', keepsDigits ? written : (JSON.parse(written) as object));
      if (keepsDigits) return expect(text).to.include('7960607143101464577').and.to.include('-9007199254740993');
      expect(text).to.include('note.ids[0] is the integer -9007199254740992, beyond 2^53, and was rounded before it came here');
      expect(text).to.include('big is the integer 796060714310146');
      // A double is as exact as it looks.
      expect((await call('take', { id: 1, amount: 1e17 })).text).to.include('100000000000000000');
    });

    it('take null for what is optional as not given', async () => {
      const { kernel, ran } = await world();
      await open(kernel).call('bank_echo', { text: 'hello', note: null });
      expect(ran).to.deep.equal(['bank_echo {"text":"hello"}']);
    });

    it('tell the model of a failure with its code, what happened and what to do next', async () => {
      const { kernel } = await world();
      const { text, isError } = await open(kernel).call('bank_fail', {});
      expect(text).to.include('EXECUTION_FAILED').and.include('the vault is locked');
      if (marksErrors(title)) expect(isError).to.equal(true);
    });

    it('show the model no secret that a tool gives away', async () => {
      const { kernel, ran } = await world();
      const { text } = await open(kernel).call('bank_leak', {});
      expect(ran).to.have.length(1);
      expect(text).to.not.include(secret);
    });

    it('use the credentials that the host gives, for tools that need them, and mask them as well', async () => {
      const { kernel, ran } = await world();
      const { call } = open(kernel, { credentials: { BANK_TOKEN: 'token-of-this-host-0815' } });
      const { text } = await call('bank_leak', {});
      expect(text).to.include('the token is').and.not.include('0815').and.not.include(secret);
      await call('bank_echo', { text: 'needs none' });
      expect(ran).to.have.length(2);
    });

    it('take no credential from the model', async () => {
      const { kernel, ran } = await world();
      const { text } = await open(kernel).call('bank_leak', { BANK_TOKEN: 'mine' });
      expect(text).to.include('INVALID_PARAMETERS');
      expect(ran).to.deep.equal([]);
    });

    it('wait for the word of the model in flag mode, where nobody else can be asked', async () => {
      const { kernel, ran } = await world();
      const { call, listed } = open(kernel);
      expect(JSON.stringify(listed['bank_pay'])).to.include('_toolkit_approved');
      expect((await call('bank_pay', { amount: 5 })).text)
        .to.include('APPROVAL_REQUIRED')
        .and.include('_toolkit_approved');
      expect(ran).to.deep.equal([]);
      await call('bank_pay', { amount: 5, _toolkit_approved: true });
      expect(ran).to.deep.equal(['bank_pay {"amount":5}']);
    });

    for (const mode of ['flag', 'elicit', 'strict'] as const)
      it(`ask the host in mode "${mode}", to whom the word of the model is nothing`, async () => {
        const { kernel, ran } = await world({ gate: { mode } });
        const asked: string[] = [];
        const answers = [false, undefined, true];
        const { call, listed } = open(kernel, {
          onApproval: ({ message, request }) => {
            asked.push(`${request.tool} ${JSON.stringify(request.parameters)} ${message.includes('"amount": 7')}`);
            return answers[asked.length - 1];
          },
        });
        if (mode === 'flag') expect(JSON.stringify(listed['bank_pay'])).to.not.include('_toolkit_approved');
        const input = mode === 'flag' ? { amount: 7, _toolkit_approved: true } : { amount: 7 };
        expect((await call('bank_pay', input)).text).to.include('APPROVAL_DENIED');
        expect((await call('bank_pay', input)).text).to.include('APPROVAL_REQUIRED');
        expect(ran).to.deep.equal([]);
        expect((await call('bank_pay', input)).text).to.include('paid');
        expect(ran).to.deep.equal(['bank_pay {"amount":7}']);
        expect(asked).to.deep.equal(['bank_pay {"amount":7} true', 'bank_pay {"amount":7} true', 'bank_pay {"amount":7} true']);
      });

    it('refuse what nobody can be asked about in the stricter modes, whatever the model says', async () => {
      const { kernel, ran } = await world({ gate: { mode: 'elicit' } });
      const { call } = open(kernel);
      expect((await call('bank_pay', { amount: 1, _toolkit_approved: true })).text).to.include('APPROVAL_REQUIRED');
      expect(ran).to.deep.equal([]);
    });

    it('show the first page of a long result', async () => {
      const { kernel } = await world();
      const { text } = await open(kernel).call('bank_long', {});
      expect(text.length).to.be.below(3000);
      expect(text).to.include('output://').and.include('5000 characters');
    });

    it('show a picture where the API takes one, else say that there is one', async () => {
      const { kernel } = await world();
      const { text } = await open(kernel).call('bank_picture', {});
      expect(text).to.include(title.includes('Chat') ? '[image of type image/png, not shown here]' : png);
    });

    it('end with the signal of the framework', async () => {
      const { kernel, ran, ends } = await world();
      const controller = new AbortController();
      const call = open(kernel).call('bank_wait', {}, { signal: controller.signal });
      while (ran.length === 0) await new Promise(setImmediate);
      controller.abort(new Error('enough'));
      await call.catch(() => {});
      while (ends.length === 0) await new Promise(setImmediate);
      expect(ends[0]?.outcome).to.include({ type: 'failed' }).and.to.have.nested.property('error.code', 'ABORTED');
    });
  });
