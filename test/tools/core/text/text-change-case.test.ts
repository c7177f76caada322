import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { inRound } from '../../../support/round.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('text_change_case', () => {
  const shared = sharedToolkit();

  const change = async (text: string, style: string): Promise<string> =>
    ((await shared.toolkit.execute('text_change_case', { text, case: style })) as { text: string }).text;

  const identifiers = [
    {
      text: 'user account ID',
      camel: 'userAccountId',
      pascal: 'UserAccountId',
      snake: 'user_account_id',
      kebab: 'user-account-id',
      constant: 'USER_ACCOUNT_ID',
    },
    {
      text: 'XMLHttpRequest',
      camel: 'xmlHttpRequest',
      pascal: 'XmlHttpRequest',
      snake: 'xml_http_request',
      kebab: 'xml-http-request',
      constant: 'XML_HTTP_REQUEST',
    },
    {
      text: 'my-file_name.txt',
      camel: 'myFileNameTxt',
      pascal: 'MyFileNameTxt',
      snake: 'my_file_name_txt',
      kebab: 'my-file-name-txt',
      constant: 'MY_FILE_NAME_TXT',
    },
    {
      text: 'address line 2',
      camel: 'addressLine2',
      pascal: 'AddressLine2',
      snake: 'address_line_2',
      kebab: 'address-line-2',
      constant: 'ADDRESS_LINE_2',
    },
    {
      text: 'version 1.10',
      camel: 'version1_10',
      pascal: 'Version1_10',
      snake: 'version_1_10',
      kebab: 'version-1-10',
      constant: 'VERSION_1_10',
    },
    {
      text: "Größe der Straße, it's",
      camel: 'größeDerStraßeIts',
      pascal: 'GrößeDerStraßeIts',
      snake: 'größe_der_straße_its',
      kebab: 'größe-der-straße-its',
      constant: 'GRÖSSE_DER_STRASSE_ITS',
    },
    { text: 'cafe\u0301Bar', camel: 'caféBar', pascal: 'CaféBar', snake: 'café_bar', kebab: 'café-bar', constant: 'CAFÉ_BAR' },
    { text: 'हिन्दी भाषा', camel: 'हिन्दीभाषा', pascal: 'हिन्दीभाषा', snake: 'हिन्दी_भाषा', kebab: 'हिन्दी-भाषा', constant: 'हिन्दी_भाषा' },
    { text: '!!!', camel: '', pascal: '', snake: '', kebab: '', constant: '' },
    { text: '', camel: '', pascal: '', snake: '', kebab: '', constant: '' },
  ];
  for (const { text, ...styles } of identifiers) {
    it(`makes identifiers of ${JSON.stringify(text)}`, async () => {
      for (const [style, expected] of Object.entries(styles)) expect(await change(text, style), style).to.equal(expected);
    });
  }

  const prose = [
    { text: "it's a LONG way, o’neill", title: "It's A Long Way, O’neill", sentence: "It's a long way, o’neill" },
    {
      text: 'hello. HOW are you? "fine!" (really) 3 apples',
      title: 'Hello. How Are You? "Fine!" (Really) 3 Apples',
      sentence: 'Hello. How are you? "Fine!" (Really) 3 apples',
    },
    { text: 'see e.g. this. new one', title: 'See E.g. This. New One', sentence: 'See e.g. this. New one' },
    { text: 'someVariable_name', title: 'Some Variable Name', sentence: 'Some variable name' },
    { text: 'straße ΟΔΟΣ ßa', title: 'Straße Οδος Ssa', sentence: 'Straße οδος ßa' },
    { text: 'война и мир', title: 'Война И Мир', sentence: 'Война и мир' },
    { text: '  two  spaces ', title: '  Two  Spaces ', sentence: '  Two  spaces ' },
    { text: '', title: '', sentence: '' },
  ];
  for (const { text, title, sentence } of prose) {
    it(`makes a title and sentences of ${JSON.stringify(text)}`, async () => {
      expect(await change(text, 'title')).to.equal(title);
      expect(await change(text, 'sentence')).to.equal(sentence);
    });
  }

  it('takes each line by itself and keeps line breaks', async () => {
    expect(await change('userId\r\n\r\nlastName\n', 'snake')).to.equal('user_id\r\n\r\nlast_name\n');
    expect(await change('one\ntwo', 'sentence')).to.equal('One\nTwo');
  });

  it('changes letters as upper and lower of Python do', async () => {
    const texts = ['Straße ŉ ﬁ', 'ΟΔΥΣΣΕΥΣ', 'İstanbul ıI', 'ǆ ǅ Ǆ', '世界 👋 123', 'Ⅷ ⓐ', ''];
    const expected = pythonValue<[string, string][]>('[[t.upper(), t.lower()] for t in given]', texts);
    for (const [index, text] of texts.entries())
      expect([await change(text, 'upper'), await change(text, 'lower')]).to.deep.equal(expected[index]);
  });

  it('changes a text of very many characters', async () => {
    const lines = inRound({ whole: 62_500, short: 12_500 });
    const text = 'some words here\n'.repeat(lines);
    expect(await change(text, 'pascal')).to.equal('SomeWordsHere\n'.repeat(lines));
    expect(await change(text, 'title')).to.equal('Some Words Here\n'.repeat(lines));
  });
});
