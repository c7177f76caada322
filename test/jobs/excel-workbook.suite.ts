import { python } from '../support/python.ts';
import { runJob } from './run-job.ts';

interface Facts {
  readonly folder: string;
}

interface Region {
  readonly region: string;
  readonly orders: number;
  /** In cents. */
  readonly amount: number;
}

interface Workbook {
  readonly sheets: readonly string[];
  /** Rows of the report, as a program that knows only the file format reads them. */
  readonly report: readonly Region[];
}

/** Reads a sheet by the format alone (ECMA-376): cells with their shared or own texts, numbers, and the kept value of a formula. */
const cellsInPython = `
import re, zipfile
import xml.etree.ElementTree as xml
def cells(path, sheet):
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    book = zipfile.ZipFile(path)
    shared = []
    if "xl/sharedStrings.xml" in book.namelist():
        shared = ["".join(part.text or "" for part in one.iter(space + "t")) for one in xml.fromstring(book.read("xl/sharedStrings.xml"))]
    for row in xml.fromstring(book.read(f"xl/worksheets/sheet{sheet}.xml")).iter(space + "row"):
        values = []
        for cell in row.iter(space + "c"):
            kind, value = cell.get("t"), cell.find(space + "v")
            if kind == "s": values.append(shared[int(value.text)])
            elif kind == "inlineStr": values.append("".join(part.text or "" for part in cell.iter(space + "t")))
            elif value is None: values.append(None)
            else: values.append(value.text if kind == "str" else float(value.text))
        yield values
def sheets(path):
    return re.findall(r'<sheet [^>]*name="([^"]*)"', zipfile.ZipFile(path).read("xl/workbook.xml").decode())
`;

/** Writes a workbook of two sheets, with shared texts, days as numbers with a style, and a formula with its value in each row. */
const writeInPython = `
import zipfile
from xml.sax.saxutils import escape
texts = []
def text(value):
    if value not in texts: texts.append(value)
    return f'<c t="s"><v>{texts.index(value)}</v></c>'
def sheet(rows):
    lines = []
    for number, row in enumerate(rows, 1):
        placed = "".join(cell.replace("<c", f'<c r="{chr(65 + at)}{number}"', 1) for at, cell in enumerate(row))
        lines.append(f'<row r="{number}">{placed}</row>')
    return f'<worksheet xmlns="{main}"><sheetData>{"".join(lines)}</sheetData></worksheet>'
main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
package = "http://schemas.openxmlformats.org/package/2006"
orders = [[text(name) for name in ["Order", "Region", "Day", "Pieces", "Price", "Amount"]]]
for at, (region, day, pieces, price) in enumerate(given["orders"], 2):
    values = [f"<c><v>{at - 1}</v></c>", text(region), f'<c s="1"><v>{day}</v></c>', f"<c><v>{pieces}</v></c>", f"<c><v>{price}</v></c>"]
    orders.append(values + [f"<c><f>D{at}*E{at}</f><v>{round(pieces * price, 2)}</v></c>"])
notes = [[text("Note")], [f'<c t="inlineStr"><is><t>{escape("Prices in EUR & without tax")}</t></is></c>']]
files = {
    "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">' + "".join(f'<Relationship Id="rId{number}" Type="{office}/{kind}" Target="{target}"/>' for number, kind, target in [(1, "worksheet", "worksheets/sheet1.xml"), (2, "worksheet", "worksheets/sheet2.xml"), (3, "sharedStrings", "sharedStrings.xml"), (4, "styles", "styles.xml")]) + "</Relationships>",
    "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="Orders 2026" sheetId="1" r:id="rId1"/><sheet name="Notes" sheetId="2" r:id="rId2"/></sheets></workbook>',
    "xl/styles.xml": f'<styleSheet xmlns="{main}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>',
    "xl/worksheets/sheet1.xml": sheet(orders),
    "xl/worksheets/sheet2.xml": sheet(notes),
    "xl/sharedStrings.xml": f'<sst xmlns="{main}">' + "".join(f"<si><t>{escape(one)}</t></si>" for one in texts) + "</sst>",
}
with zipfile.ZipFile(given["path"], "w", zipfile.ZIP_DEFLATED) as book:
    for name, content in files.items(): book.writestr(name, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' + content)
result = None
`;

/** Number of 1 January 2026 as a day of a sheet. */
const newYear = 46_023;

runJob<Workbook, Facts>({
  number: 28,
  title: 'sums of an Excel workbook, written as another',
  async prepare(folder, random) {
    const regions = ['North', 'South & East', 'Übersee', '007'];
    const orders = Array.from({ length: 400 }, () => [
      random.oneOf(regions),
      newYear + random.below(180),
      random.between(1, 40),
      random.between(1_00, 99_99) / 100,
    ]);
    python(writeInPython, { path: `${folder}/orders.xlsx`, orders });
    return { folder };
  },
  async steps(client, { folder }) {
    const describe = await client.tool('data_describe', 'sheets and columns of an Excel workbook');
    const { tables } = await describe.call<{ tables: readonly { name: string }[] }>({ path: 'orders.xlsx', samples: 1 });
    const query = await client.tool('data_query', 'sum a column of an Excel sheet by group');
    const { rows } = await query.call<{ rows: readonly (readonly [string, number, number])[] }>({
      sql: `SELECT "Region", count(*), round(sum("Amount"), 2) FROM ${tables[0]?.name} WHERE "Day" >= '2026-04-01' GROUP BY 1 ORDER BY 1`,
      files: [{ path: 'orders.xlsx' }],
    });
    const write = await client.tool('sheet_write', 'write an Excel workbook');
    const report = { name: 'Regions', rows: [['Region', 'Orders', 'Amount'], ...rows] };
    await write.call({ path: 'report.xlsx', sheets: [report] });
    return python(
      `${cellsInPython}
path = given + "/report.xlsx"
rows = [{"region": region, "orders": int(orders), "amount": round(amount * 100)} for region, orders, amount in list(cells(path, 1))[1:]]
result = {"sheets": sheets(path), "report": rows}`,
      folder,
    );
  },
  expected: (folder) =>
    python(
      `${cellsInPython}
sums = {}
for number, region, day, pieces, price, amount in list(cells(given + "/orders.xlsx", 1))[1:]:
    if day < ${newYear} + 31 + 28 + 31: continue
    orders, cents = sums.get(region, (0, 0))
    sums[region] = (orders + 1, cents + round(amount * 100))
rows = [{"region": region, "orders": orders, "amount": cents} for region, (orders, cents) in sorted(sums.items())]
result = {"sheets": ["Regions"], "report": rows}`,
      folder,
    ),
});
