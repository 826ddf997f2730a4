// @ts-check
/**
 * Price lists of the demo: two suppliers, one of whom sent a file with rows that cannot be imported, and a long list to
 * watch an import by.
 */

/**
 * @typedef {{ name: string, text: string }} DemoFile
 * @typedef {{ supplier: string, list: string, markup_percent: number, files: DemoFile[] }} DemoList
 */

const HEAD = 'Бренд;Артикул;Наименование;Остаток;Цена'
const BRANDS = ['CLARIS', 'NORDSTOP', 'СТАЛЬКОН', 'ВОЛГАФИЛЬТР']
const NAMES = ['Фильтр масляный', 'Brake disc', 'Колодки тормозные', 'Air filter', 'Амортизатор передний']
const ROWS = 1_200
const LONG_ROWS = 400_000

/** @param {number} prefix @param {number} step of the prices, in percent @param {number} [count] */
function goodRows(prefix, step, count = ROWS) {
  return Array.from({ length: count }, (_, at) => {
    const price = ((at * 37) % 9_000) + 150
    return [
      BRANDS[at % BRANDS.length],
      `${prefix}-${1_000 + at}`,
      NAMES[at % NAMES.length],
      (at * 7) % 40,
      ((price * (100 + step)) / 100).toFixed(2).replace('.', ','),
    ].join(';')
  })
}

const badRows = [
  'CLARIS;;Фильтр без артикула;3;250,00',
  ';N-1;Деталь без бренда;3;250,00',
  'CLARIS;OC 1051;Фильтр масляный;много;1234,50',
  'NORDSTOP;09.A820.11;Brake disc;4;по запросу',
]

/** @type {DemoList[]} */
export const priceLists = [
  {
    supplier: 'Supplier North',
    list: 'North, passenger cars',
    markup_percent: 10,
    files: [
      {
        name: 'north-november.csv',
        text: [HEAD, 'CLARIS;OC 1051;Фильтр масляный;12;740,00', ...goodRows(11, 0)].join('\n'),
      },
      {
        name: 'north-december.csv',
        text: [HEAD, 'CLARIS;OC 1051;Фильтр масляный;9;760,00', ...goodRows(11, 3), ...badRows].join('\n'),
      },
    ],
  },
  {
    supplier: 'Поставщик Юг',
    list: 'Юг, грузовые',
    markup_percent: 12.5,
    files: [
      { name: 'yug.csv', text: [HEAD, 'CLARIS;OC 1051;Фильтр масляный;4;690,00', ...goodRows(22, 0)].join('\n') },
    ],
  },
]

/** Takes some 15 seconds to import. @returns {DemoList} */
export function longList() {
  return {
    supplier: 'Wholesale East',
    list: 'East, everything',
    markup_percent: 5,
    files: [{ name: 'east.csv', text: [HEAD, ...goodRows(33, 0, LONG_ROWS)].join('\n') }],
  }
}
