import { python } from '../support/python.ts';
import { writeFiles } from '../support/temporary.ts';
import { runJob } from './run-job.ts';

const template = `{{#people}}
Dear {{name}},

thank you for your gift of {{amount}} EUR for "{{purpose}}".
{{#yearly}}
We expect the next one in a year.
{{/yearly}}
{{^yearly}}
You may make it a yearly one.
{{/yearly}}

Yours, {{from}}
----
{{/people}}
`;

runJob<string>({
  number: 22,
  title: 'a letter to each of 40 people',
  async prepare(folder, random) {
    const people = Array.from({ length: 40 }, () => ({
      name: `${random.oneOf(['Zoë', 'Ødegård', 'Ann & Bo', '李娜', "O'Neill"])} ${random.oneOf(['<Smith>', 'Müller', 'de la Cruz', 'Łukasz'])}`,
      amount: random.between(1, 100_000) / 100,
      purpose: random.oneOf(['trees', 'a well', '100 % books {each}', 'C:\\school']),
      yearly: random.chance(0.5),
    }));
    await writeFiles(folder, { 'letter.txt': template, 'people.json': JSON.stringify({ from: 'Éva', people }, null, 1) });
  },
  async steps(client) {
    const render = await client.tool('text_render_template', 'fill in a letter for each person');
    return (await render.call<{ text: string }>({ template_path: 'letter.txt', data_path: 'people.json' })).text;
  },
  expected: (folder) =>
    python(
      [
        'data = json.load(open(given + "/people.json", encoding="utf-8"))',
        'yearly = {True: "We expect the next one in a year.", False: "You may make it a yearly one."}',
        'result = "".join(',
        '    f"""Dear {one["name"]},\\n\\nthank you for your gift of {one["amount"]:g} EUR for "{one["purpose"]}".\\n"""',
        '    f"""{yearly[one["yearly"]]}\\n\\nYours, {data["from"]}\\n----\\n"""',
        '    for one in data["people"])',
      ].join('\n'),
      folder,
    ),
});
