/** A call as a model makes it. */
export interface ToolCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Reads one thing that an error may say, and returns the call that it leads to; undefined where the error does not say it. */
type Reading = (call: ToolCall, error: string) => ToolCall | undefined;

/**
 * Returns the call that an error leads to, by its words alone: a name that it gives is taken, a value that it asks for is made, an example is copied.
 * Nothing is known here of any tool. Undefined where the error leads nowhere.
 */
export function followError(call: ToolCall, error: string): ToolCall | undefined {
  let followed: ToolCall | undefined;
  for (const reading of readings) followed = reading(followed ?? call, error) ?? followed;
  return followed;
}

const readings: readonly Reading[] = [
  // A tool that there is not.
  (call, error) => {
    const [, tool] = /There is no tool "[^"]*"\. Did you mean "(\w+)"/.exec(error) ?? [];
    return tool === undefined ? undefined : { ...call, tool };
  },
  // "x is not known here: give "y" in its place", "x is not known here. Did you mean "y"?"
  (call, error) => changed(call, all(/([\w.[\]]+) is not known here(?:: give|\. Did you mean) "(\w+)"/g, error), renamed),
  // "y is required; x is not known here. Expected …": names that are missing for those that are not known, in their order.
  (call, error) => {
    const strange = all(/([\w.[\]]+) is not known here\. Expected/g, error);
    const missing = all(/([\w.[\]]+) is required/g, error).map(([, name = '']) => name.split('.').at(-1) ?? '');
    const pairs = strange.flatMap(([, name = ''], index) => missing.slice(index, index + 1).map((meant) => ['', name, meant]));
    return changed(call, pairs, renamed);
  },
  // "x expected one of "a", "b", received string "A"": the one that is written in the same letters.
  (call, error) =>
    changed(call, all(/([\w.[\]]+) expected one of ((?:"[^"]*"(?:, )?)+)/g, error), (parent, key, choices) => {
      const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
      const chosen = all(/"([^"]*)"/g, choices).find(([, choice = '']) => letters(choice) === letters(String(parent[key])));
      return { ...parent, [key]: chosen?.[1] };
    }),
  (call, error) => changed(call, all(/([\w.[\]]+) expected (?:integer|number), received string/g, error), withValue(Number)),
  (call, error) =>
    changed(
      call,
      all(/([\w.[\]]+) expected array, received/g, error),
      withValue((value) => [value]),
    ),
  (call, error) =>
    changed(
      call,
      all(/([\w.[\]]+) is the text of an? \w+ in JSON\. Give the value itself/g, error),
      withValue((value) => JSON.parse(String(value))),
    ),
  // "x expected …, such as y, received": the last example.
  (call, error) =>
    changed(call, all(/(\w+) expected [^;]*such as ([^;,]*?), received/g, error), (parent, key, example) => ({
      ...parent,
      [key]: example,
    })),
  // "one program without arguments …; each argument is an element of "arguments""
  (call, error) => {
    const [, key, list] = /(\w+) expected one \w+ without arguments.*each argument is an element of "(\w+)"/.exec(error) ?? [];
    if (key === undefined || list === undefined) return undefined;
    const [first, ...rest] = String(call.arguments[key]).split(' ');
    return { ...call, arguments: { ...call.arguments, [key]: first, [list]: rest } };
  },
  // "Parameter "x": … set "y" to false", "Set y to true", "or set y"
  (call, error) => {
    const [, path = '', name, value = 'true'] =
      /^\w+: (?:Parameter "([^"]*)")?.*\b[Ss]et "?(\w+)"?(?: to "?(true|false)"?)?/.exec(error) ?? [];
    if (name === undefined) return undefined;
    const beside = path.includes('.') ? path : name;
    return changed(call, [['', beside]], (parent) => ({ ...parent, [name]: value === 'true' }));
  },
  // "expected a path inside /srv, received "/x""
  (call, error) => {
    const [, key, root] = /Parameter "(\w+)".*expected a path inside ([^,]*), received/.exec(error) ?? [];
    return key === undefined ? undefined : { ...call, arguments: { ...call.arguments, [key]: `${root}${String(call.arguments[key])}` } };
  },
  // "Cannot read "/srv/x": it is a folder … List it with fs_tree."
  (_call, error) => {
    const [, path, tool] = /Cannot read "([^"]*)": .* with (\w+)\./.exec(error) ?? [];
    return tool === undefined ? undefined : { tool, arguments: { path } };
  },
  // "expected '$', found 'a'", at the first character
  (call, error) => {
    const [, begin] = /at character 1: expected '([^']*)'/.exec(error) ?? [];
    const key = Object.keys(call.arguments).find((name) => error.includes(`${name} is wrong`));
    return begin === undefined || key === undefined
      ? undefined
      : { ...call, arguments: { ...call.arguments, [key]: `${begin}.${String(call.arguments[key])}` } };
  },
  // "expected tokens …, received "YYYY". Year yyyy, month MM": the tokens that are named.
  (call, error) => {
    const [, key, named] = /Parameter "(\w+)": expected tokens .*received "\w+"\. ([^;]*)/.exec(error) ?? [];
    if (key === undefined || named === undefined) return undefined;
    const tokens = all(/ (\w+)/g, named).map(([, token = '']) => token);
    const meant = (token: string): string =>
      tokens.includes(token) ? token : (tokens.find((one) => one.toLowerCase() === token.toLowerCase()) ?? token);
    return { ...call, arguments: { ...call.arguments, [key]: String(call.arguments[key]).replace(/[A-Za-z]+/g, meant) } };
  },
  // "x reaches for a file … each is a table there: y."
  (call, error) => {
    const [, key, table] = /: (\w+) reaches for a file .* each is a table there: ([\w.]+)\./.exec(error) ?? [];
    if (key === undefined) return undefined;
    return {
      ...call,
      arguments: { ...call.arguments, [key]: String(call.arguments[key]).replace(/FROM ['"][^'"]*['"]/, `FROM ${table}`) },
    };
  },
  // "column "x" not found … Candidate bindings: "y""
  (call, error) => {
    const [, wrong, right] = /column "(\w+)" not found .*Candidate bindings: "(\w+)"/.exec(error) ?? [];
    if (wrong === undefined || right === undefined) return undefined;
    const corrected = (value: unknown): unknown =>
      typeof value === 'string' ? value.replace(new RegExp(`\\b${wrong}\\b`, 'g'), right) : value;
    return { ...call, arguments: Object.fromEntries(Object.entries(call.arguments).map(([key, value]) => [key, corrected(value)])) };
  },
  // "Ask the person you work for; when they agree, call it again with the argument x: true"
  (call, error) => {
    const [, name] = /call it again with the argument (\w+): true/.exec(error) ?? [];
    return name === undefined ? undefined : { ...call, arguments: { ...call.arguments, [name]: true } };
  },
];

type Members = Readonly<Record<string, unknown>>;

function all(pattern: RegExp, text: string): readonly (readonly string[])[] {
  return [...text.matchAll(pattern)];
}

/** Changes the objects around the members that were found (`edits[0].old`); undefined where none was found. */
function changed(
  call: ToolCall,
  found: readonly (readonly string[])[],
  change: (parent: Members, key: string, said: string) => Members,
): ToolCall | undefined {
  if (found.length === 0) return undefined;
  const inside = (value: unknown, [key = '', ...rest]: readonly string[], said: string): unknown => {
    if (Array.isArray(value)) return Object.values(inside({ ...value } as Members, [key, ...rest], said) as Members);
    if (rest.length === 0) return change(value as Members, key, said);
    return { ...(value as Members), [key]: inside((value as Members)[key], rest, said) };
  };
  const changedArguments = found.reduce<unknown>(
    (value, [, path = '', said = '']) => inside(value, path.split(/[.[\]]+/).filter(Boolean), said),
    call.arguments,
  );
  return { ...call, arguments: changedArguments as Members };
}

function renamed(parent: Members, key: string, name: string): Members {
  const { [key]: value, ...others } = parent;
  return { ...others, [name]: value };
}

function withValue(make: (value: unknown) => unknown): (parent: Members, key: string) => Members {
  return (parent, key) => ({ ...parent, [key]: make(parent[key]) });
}
