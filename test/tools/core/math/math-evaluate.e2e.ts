import { expect } from 'chai';
import type { JsonValue } from '../../../../kernel/index.ts';
import { executorFunction, Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { stopsAlone } from '../../../support/stops-alone.ts';

describe('math_evaluate', () => {
  // One for all tests, with one thread, because math.js takes long to load in each.
  let toolkit: Toolkit;
  before(async () => {
    toolkit = await Toolkit.init({ logger: memoryLogger(), plugins: [executorFunction({ maxThreads: 1 })] });
  });
  after(() => toolkit.close());

  function evaluate(expression: string, more: Readonly<Record<string, unknown>> = {}): Promise<JsonValue> {
    return toolkit.execute('math_evaluate', { expression, ...more });
  }

  const values: readonly { expression: string; more?: Readonly<Record<string, unknown>>; result: unknown; type: string }[] = [
    { expression: '0.1 + 0.2', result: 0.3, type: 'number' },
    { expression: '2 + 3 * 4 ^ 2', result: 50, type: 'number' },
    { expression: '99999999 * 9999999', result: 999999890000001, type: 'number' },
    { expression: '[2^53 - 1, -(2^53 - 1)]', result: [9007199254740991, -9007199254740991], type: 'matrix' },
    // Where floating point begins to leave integers out.
    { expression: '2^53', result: 9007199254741000, type: 'number' },
    { expression: '2^53 + 1', more: { precision: 20 }, result: '9.007199254740993e+15', type: 'bignumber' },
    { expression: '1e15 * 1.1', result: 1.1e15, type: 'number' },
    { expression: '-17 mod 5', result: 3, type: 'number' },
    { expression: '2 x y', more: { variables: { x: 3, y: 0.5 } }, result: 3, type: 'number' },
    { expression: 'größe * α', more: { variables: { größe: 3, α: 4 } }, result: 12, type: 'number' },
    { expression: '1 / 0', result: 'Infinity', type: 'number' },
    { expression: '-1 / 0', result: '-Infinity', type: 'number' },
    { expression: '0 / 0', result: 'NaN', type: 'number' },
    { expression: 'round(2.5) > 2 and not false', result: true, type: 'boolean' },
    { expression: 'null', result: null, type: 'null' },
    { expression: 'concat("grün", " 世界")', result: 'grün 世界', type: 'string' },
    { expression: '(2 + 3i) * (1 - i)', result: '5 + i', type: 'complex' },
    { expression: 'fraction(1, 3) + fraction(1, 6)', result: '1/2', type: 'fraction' },
    { expression: 'bigint("9007199254740993") + bigint(2)', result: '9007199254740995', type: 'bigint' },
    { expression: '3 cm + 2 inch to mm', result: '80.8 mm', type: 'unit' },
    { expression: 'unit(speed) to km/h', more: { variables: { speed: '10 m/s' } }, result: '36 km / h', type: 'unit' },
    { expression: '[1, 2; 3, 4] * [1; 1]', result: [[3], [7]], type: 'matrix' },
    {
      expression: 'm[2, 1]',
      more: {
        variables: {
          m: [
            [1, 2],
            [3, 4],
          ],
        },
      },
      result: 3,
      type: 'number',
    },
    {
      expression: 'm[1, 2] = 9; m',
      more: {
        variables: {
          m: [
            [1, 2],
            [3, 4],
          ],
        },
      },
      result: [
        [1, 9],
        [3, 4],
      ],
      type: 'matrix',
    },
    { expression: 'prices * 2', more: { variables: { prices: [1.5, 2.25] } }, result: [3, 4.5], type: 'matrix' },
    { expression: '[1/0, 2i, "a", true]', result: ['Infinity', '2i', 'a', true], type: 'matrix' },
    { expression: '[]', result: [], type: 'matrix' },
    { expression: '1:0.5:2', result: [1, 1.5, 2], type: 'matrix' },
    { expression: 'map([1, 2, 3], f(x) = x ^ 2)', result: [1, 4, 9], type: 'matrix' },
    { expression: 'a = 2\nb = 3\na * b', result: 6, type: 'number' },
    { expression: 'f(x) = x > 1 ? x * f(x - 1) : 1; f(5); f(6)', result: 720, type: 'number' },
  ];
  for (const { expression, more, result, type } of values) {
    it(`calculates ${JSON.stringify(expression)}`, async () => {
      expect(await evaluate(expression, more)).to.deep.equal({ result, type });
    });
  }

  const sameInPython = [
    { expression: 'sqrt(2) * sin(pi / 7)', python: 'math.sqrt(2) * math.sin(math.pi / 7)' },
    { expression: 'gamma(4.5) + lgamma(3.2)', python: 'math.gamma(4.5) + math.lgamma(3.2)' },
    { expression: 'log(10) / log(7, 2)', python: 'math.log(10) / math.log(7, 2)' },
    { expression: 'combinations(40, 11)', python: 'math.comb(40, 11)' },
    { expression: 'norm([3.5, -1.25, 2])', python: 'math.hypot(3.5, -1.25, 2)' },
    { expression: 'atan2(-1, -2)', python: 'math.atan2(-1, -2)' },
  ];
  it('gives the numbers that Python gives', async () => {
    const list = sameInPython.map(({ python }) => python).join(', ');
    const expected = pythonValue(`[float("%.13g" % v) for v in [${list}]]`, null, 'import math');
    const results = await Promise.all(sameInPython.map(({ expression }) => evaluate(expression, { precision: 13 })));
    expect(results.map((result) => (result as { result: number }).result)).to.deep.equal(expected);
  });

  it('gives the digits that the decimal module of Python gives', async () => {
    const expressions = {
      '1 / 7': 'D(1) / 7',
      'sqrt(2)': 'D(2).sqrt()',
      'exp(1)': 'D(1).exp()',
      'log(10)': 'D(10).ln()',
      'x + y': 'D("0.1") + D("0.2")',
    };
    const digits = `[str(v.normalize()) for v in [${Object.values(expressions).join(', ')}]]`;
    const expected = pythonValue<string[]>(digits, null, 'from decimal import Decimal as D, getcontext\ngetcontext().prec = 50');
    const results = await Promise.all(
      Object.keys(expressions).map((expression) => evaluate(expression, { precision: 50, variables: { x: 0.1, y: 0.2 } })),
    );
    expect(results).to.deep.equal(expected.map((result) => ({ result, type: 'bignumber' })));
  });

  it('rounds to the significant digits that are asked for', async () => {
    expect(await evaluate('[2 / 3, 123456]', { precision: 3 })).to.deep.equal({ result: [0.667, 123000], type: 'matrix' });
    expect(await evaluate('99999999 * 9999999', { precision: 14 })).to.deep.equal({ result: 999999890000000, type: 'number' });
    expect(await evaluate('2 / 3 m', { precision: 3 })).to.deep.equal({ result: '0.667 m', type: 'unit' });
  });

  it('gives a factorial with all digits', async () => {
    const digits = '30414093201713378043612608166064768844377641568960512000000000000';
    expect(BigInt(digits)).to.equal(Array.from({ length: 50 }, (_, index) => BigInt(index + 1)).reduce((a, b) => a * b));
    const { result } = (await evaluate('50!', { precision: 64 })) as { result: string };
    expect(result).to.equal('3.0414093201713378043612608166064768844377641568960512e+64');
  });

  it('keeps nothing from one call to the next', async () => {
    await evaluate('secret = 5; stolen(x) = x; secret');
    await rejection(evaluate('secret'), 'INVALID_PARAMETERS');
    await rejection(evaluate('stolen(1)'), 'INVALID_PARAMETERS');
  });

  const names = [
    ...['import({a: 1})', 'config({})', 'createUnit("foo")', 'evaluate("1")', 'compile("1")', 'parse("1")', 'parser()'],
    ...['simplify("x+x")', 'simplifyConstant("1+1")', 'simplifyCore("1")', 'rationalize("x/x")', 'derivative("x^2", "x")'],
    ...['resolve("x")', 'symbolicEqual("x", "x")', 'leafCount("x")', 'reviver("a", 1)', 'replacer("a", 1)', 'chain(1)'],
    ...[
      'print("$length", [1])',
      'print("$0.constructor.name", [1])',
      'numeric("1", "constructor")',
      'typed("f", cos)',
      'help(sin)',
      'expression',
      'create(1)',
      'factory(1)',
    ],
  ];
  const escapes = [
    ...names.map((expression) => ({ expression, says: `contains the function "${/^\w+/.exec(expression)?.[0]}"` })),
    { expression: 'p = parse; p("1+1")', says: 'contains the function "parse"' },
    { expression: 'map(["1+1"], evaluate)', says: 'contains the function "evaluate"' },
    { expression: 'p = print; p("$length", [1])', says: 'contains the function "print"' },
    { expression: 'map(["$length"], print)', says: 'contains the function "print"' },
    { expression: 'subset(i, index("re"))', says: 'cannot be calculated' },
    { expression: 'subset([1, 2], index("length"))', says: 'cannot be calculated' },
    { expression: 'cos.constructor("return process")', says: 'contains a call of "cos.constructor"' },
    { expression: '["a"]._data.map(cos.constructor)', says: 'which is not allowed' },
    { expression: 'f(x) = x; f.constructor', says: 'contains a property' },
    { expression: 'f(x) = x; f.apply(1, [2])', says: 'contains a call of "f.apply"' },
    { expression: '[cos][1](2)', says: 'contains a call of "[cos][1]"' },
    { expression: '[1].constructor', says: 'contains a property' },
    { expression: '"a"["constructor"]', says: 'contains a property' },
    { expression: '{}.constructor', says: 'which is not allowed' },
    { expression: '{"__proto__": 1}', says: 'contains an object' },
    { expression: 'i.re = 5', says: 'contains a property' },
    { expression: 'unit("5 cm").toJSON()', says: 'contains a call of' },
    { expression: 'n = "constructor"; cos[n]', says: 'cannot be calculated' },
    { expression: 'n = "constructor"; "a"[n]', says: 'cannot be calculated' },
    { expression: 'n = "_data"; [1, 2][n]', says: 'cannot be calculated' },
    { expression: 'n = "re"; i[n] = 5', says: 'cannot be calculated' },
    { expression: 'constructor("return 1")', says: 'cannot be calculated' },
    { expression: '__proto__', says: 'cannot be calculated' },
    { expression: 'process', says: 'Undefined symbol process' },
    { expression: 'Function("return 1")', says: 'Undefined function Function' },
  ];
  for (const { expression, says } of escapes) {
    it(`does not run ${expression}`, async () => {
      const error = await rejection(evaluate(expression), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }

  const mistakes: readonly { expression: string; position?: number; says: string }[] = [
    { expression: '2 +', position: 4, says: 'Unexpected end of expression' },
    { expression: '(1', position: 3, says: 'Parenthesis ) expected' },
    { expression: '[1, 2', position: 6, says: 'End of matrix ] expected' },
    { expression: 'x + 1', says: 'Undefined symbol x. Give its value in "variables"' },
    { expression: 'nosuch(1)', says: 'Undefined function nosuch. Define it first' },
    { expression: '2 m + 3 kg', says: 'Units do not match' },
    { expression: '[1, 2] * [1, 2, 3]', says: 'Vectors must have the same length' },
    { expression: 'a = 2;', says: 'gives no value' },
    { expression: '# only a comment', says: 'gives no value' },
    { expression: 'f(x) = x ^ 2', says: 'gives a function, expected a value. Call the function' },
    { expression: '[cos]', says: 'gives a function' },
    { expression: 'f(n) = f(n + 1); f(1)', says: 'nested or repeated too deeply' },
    { expression: '('.repeat(9000), says: 'nested or repeated too deeply' },
  ];
  for (const { expression, position, says } of mistakes) {
    it(`says what is wrong with ${JSON.stringify(expression.slice(0, 30))}`, async () => {
      const error = await rejection(evaluate(expression), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(error.details['position']).to.equal(position);
      expect(error.details.issues).to.have.nested.property('[0].path', 'expression');
    });
  }

  const large: readonly {
    expression: string;
    precision?: number;
    variables?: Readonly<Record<string, unknown>>;
    result?: string;
    says?: string;
  }[] = [
    { expression: '9007199254740993 - 1', says: '"expression" has the integer 9007199254740993, beyond 2^53, of which 14 of 16 digits' },
    { expression: '9007199254740993 - 1', precision: 16, result: '9.007199254740992e+15' },
    { expression: '-12345678901234567890123456', precision: 16, says: 'Give "precision" from 26 to 64' },
    { expression: '0x20000000000001', says: 'has the integer 9007199254740993' },
    { expression: "[1, 2]' * 9007199254740993 + [1, 2]'", says: 'has the integer 9007199254740993' },
    { expression: '1'.repeat(69), precision: 64, says: 'At most 64 digits can be asked for' },
    { expression: 'n + 1', variables: { n: '9007199254740993' }, says: '"variables.n" has the integer 9007199254740993' },
    { expression: 'n + 1', variables: { n: '9007199254740993' }, precision: 20, result: '9.007199254740994e+15' },
    { expression: 'sum(n)', variables: { n: [['9007199254740993'], [1]] }, precision: 20, result: '9.007199254740994e+15' },
    { expression: '10000000000000000 / 10', precision: 20, result: '1e+15' },
  ];
  for (const { expression, result, says, ...more } of large) {
    it(`${says === undefined ? 'keeps' : 'refuses to round'} integers beyond 2^53: ${JSON.stringify({ expression: expression.slice(0, 40), ...more })}`, async () => {
      if (says === undefined) return expect(await evaluate(expression, more)).to.deep.equal({ result, type: 'bignumber' });
      const error = await rejection(evaluate(expression, more), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }

  const wrongParameters: readonly { parameters: Readonly<Record<string, unknown>>; says: string }[] = [
    { parameters: {}, says: 'expression is required' },
    { parameters: { expression: '' }, says: 'expression expected' },
    { parameters: { expression: '1'.repeat(10_001) }, says: 'expression expected' },
    { parameters: { expression: '1', precision: 0 }, says: 'precision expected' },
    { parameters: { expression: '1', precision: 65 }, says: 'precision expected' },
    { parameters: { expression: 'x', variables: { x: { a: 1 } } }, says: 'variables.x expected' },
    { parameters: { expression: 'x', variables: { x: [[{ a: 1 }]] } }, says: 'Variable "x": expected numbers' },
  ];
  for (const { parameters, says } of wrongParameters) {
    it(`refuses parameters of which ${says}`, async () => {
      const error = await rejection(toolkit.execute('math_evaluate', parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }

  it('refuses a result that is larger than its limit', async () => {
    const error = await rejection(evaluate('ones(1000, 1000)'), 'OUTPUT_TOO_LARGE');
    expect(error.details).to.include({ maxCharacters: 1_048_576 });
  });

  it('stops an expression that runs without end, while others are calculated', async () => {
    await stopsAlone(['math'], 'math_evaluate', {
      harmless: { expression: '1' },
      endless: { expression: 'f(n) = n < 2 ? n : f(n - 1) + f(n - 2); f(200)' },
      meanwhile: async () => expect(await evaluate('1 + 1')).to.deep.equal({ result: 2, type: 'number' }),
    });
  });

  it('has a time limit of its own', () => {
    expect(toolkit.kernel.registry.get('math_evaluate').execution).to.include({ worker: 'process', timeout_ms: 20_000 });
  });

  it('gives the outputs that its examples promise', async () => {
    for (const { parameters, output } of toolkit.kernel.registry.get('math_evaluate').definition.examples ?? [])
      expect(await toolkit.execute('math_evaluate', parameters)).to.deep.equal(output);
  });
});
