import { inspect } from 'node:util';
import { expect } from 'chai';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { json, loopback, type SeenRequest } from '../../../support/loopback.ts';
import { httpTool } from '../http-tool.ts';

const secret = 'tok/en+"with" späce=42';
const forms = [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
  JSON.stringify(secret).slice(1, -1),
];

/** Everything that a caller, a log and an error report can see of a call. */
async function seen(answer: Parameters<typeof loopback>[0], own = false): Promise<{ text: string; requests: SeenRequest[] }> {
  const { url, requests } = await loopback(answer);
  const logger = memoryLogger();
  const execution = {
    method: 'post',
    url: `${url}/{API_KEY}`,
    headers: { 'X-Key': '{API_KEY}' },
    query_params: { key: '{API_KEY}' },
    body: { key: '{API_KEY}', text: 'Key: {API_KEY}' },
  };
  const call = await httpTool({ execution, env: { API_KEY: own ? 'another-key' : secret }, logger });
  const result = await call({}, own ? { credentials: { API_KEY: secret } } : {}).then(
    ({ output, meta, content }) => ({ output, meta, content }),
    (error: Error & { toJSON(): unknown }) => ({ json: error.toJSON(), message: error.message, stack: error.stack, cause: error.cause }),
  );
  const raw = inspect(result, { depth: 10, maxStringLength: Number.POSITIVE_INFINITY });
  return { text: `${JSON.stringify(result)}\n${raw}\n${JSON.stringify(logger.records)}`, requests };
}

describe('executor-http: secrets', () => {
  const answers: readonly { what: string; answer: Parameters<typeof loopback>[0] }[] = [
    { what: 'an echo of the request', answer: (request, response) => json(response, request) },
    { what: 'text with every form of it', answer: (_request, response) => void response.end(forms.join('\n')) },
    { what: 'an error message', answer: (_request, response) => json(response, { message: `Bad key ${secret}!` }, 401) },
    {
      what: 'an error message that is cut in the middle of it',
      answer: (_request, response) => json(response, { message: 'x'.repeat(190) + secret }, 400),
    },
    {
      what: 'the encoded form, cut in the middle',
      answer: (_request, response) => json(response, { message: 'x'.repeat(190) + encodeURIComponent(secret) }, 400),
    },
    {
      what: 'an HTML page',
      answer: (_request, response) => void response.writeHead(500, { 'content-type': 'text/html' }).end(`<h1>${secret}</h1>`),
    },
    {
      what: 'JSON that does not parse',
      answer: (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(secret),
    },
    { what: 'an answer that is not HTTP', answer: (_request, response) => void response.socket?.end(`${secret}\r\n\r\n`) },
    {
      what: 'a redirect to it',
      answer: (_request, response) =>
        void response.writeHead(302, { location: `http://localhost:49151/${encodeURIComponent(secret)}` }).end(),
    },
  ];
  for (const { what, answer } of answers) {
    for (const own of [false, true]) {
      it(`are masked in ${what}, ${own ? 'given with the call' : 'resolved'}`, async () => {
        const { text, requests } = await seen(answer, own);
        expect(requests[0]?.headers['x-key']).to.be.a('string').and.to.include('tok/en');
        for (const form of [...forms, 'tok/en', 'tok%2F']) expect(text).to.not.include(form);
      });
    }
  }

  it('are not pulled in by a value that looks like a placeholder', async () => {
    const { url, requests } = await loopback((_request, response) => json(response, {}));
    const templates = [
      { body: { text: '{text}' } },
      { body: '{"text": "{text}"}' },
      { body: 'text: {text}' },
      { form: { text: '{text}' } },
      { body: { text: '{text}' }, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      { query_params: { text: '{text}' } },
      { url: `${url}/{text}` },
      { headers: { 'X-Text': '{text}' } },
      { body: { text: '{ENCODED}' }, parameter_encoding: { source: ['text'], target: 'ENCODED', encoding: 'json_compact' } },
    ];
    for (const template of templates) {
      const execution = {
        method: 'post',
        url,
        ...template,
        headers: { 'X-Key': '{API_KEY}', ...('headers' in template ? template.headers : {}) },
      };
      const call = await httpTool({ execution, parameters: { text: {} }, env: { API_KEY: 'hidden-value' } });
      await call({ text: '{API_KEY}' });
    }
    expect(requests).to.have.lengthOf(templates.length);
    for (const { headers, ...rest } of requests) {
      const { 'x-key': key, ...others } = headers;
      expect(key).to.equal('hidden-value');
      expect(JSON.stringify({ ...rest, others })).to.not.include('hidden-value');
    }
  });
});
