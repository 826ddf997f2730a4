// @ts-check
/** A small parts shop, made up for the demo: seven categories, twelve products, in Russian and English. */

export const categories = [
  { id_erp: 'D-BRAKES', name: 'Тормозная система', description: 'Brakes', sort_order: 10 },
  { id_erp: 'D-DISCS', name: 'Тормозные диски', parent_id_erp: 'D-BRAKES', sort_order: 11 },
  { id_erp: 'D-PADS', name: 'Тормозные колодки', parent_id_erp: 'D-BRAKES', sort_order: 12 },
  { id_erp: 'D-FILTERS', name: 'Filters', sort_order: 20 },
  { id_erp: 'D-OIL', name: 'Oil filters', parent_id_erp: 'D-FILTERS', sort_order: 21 },
  { id_erp: 'D-AIR', name: 'Air filters', parent_id_erp: 'D-FILTERS', sort_order: 22 },
  { id_erp: 'D-OLD', name: 'Снято с продажи', is_active: false },
]

/** @typedef {'rings' | 'bars' | 'cells'} Kind */

/**
 * @type {{id_erp: string, name: string, brand: string, article: string, category: string, text: string, attributes:
 * Record<string, string>, kind: Kind, colour: [number, number, number], quantity: number}[]}
 */
const parts = [
  {
    id_erp: 'D-1001',
    name: 'Диск тормозной передний вентилируемый',
    brand: 'СТАЛЬКОН',
    article: 'SK-280.22',
    category: 'D-DISCS',
    text: '<p>Вентилируемый диск, 280 × 22 мм.</p>',
    attributes: { Диаметр: '280 мм', Толщина: '22 мм', Ось: 'передняя' },
    kind: 'rings',
    colour: [150, 155, 160],
    quantity: 24,
  },
  {
    id_erp: 'D-1002',
    name: 'Диск тормозной задний',
    brand: 'СТАЛЬКОН',
    article: 'SK-255.10',
    category: 'D-DISCS',
    text: '<p>Сплошной диск, 255 × 10 мм.</p>',
    attributes: { Диаметр: '255 мм', Толщина: '10 мм', Ось: 'задняя' },
    kind: 'rings',
    colour: [120, 125, 135],
    quantity: 0,
  },
  {
    id_erp: 'D-1003',
    name: 'Brake disc, front, coated',
    brand: 'NORDSTOP',
    article: '09.A820.11',
    category: 'D-DISCS',
    text: '<p>Zinc coated, no washing before fitting.</p>',
    attributes: { Diameter: '300 mm', Coating: 'zinc' },
    kind: 'rings',
    colour: [175, 180, 190],
    quantity: 8,
  },
  {
    id_erp: 'D-1101',
    name: 'Колодки тормозные передние',
    brand: 'СТАЛЬКОН',
    article: 'SK-P1130',
    category: 'D-PADS',
    text: '<p>Комплект на ось, с датчиком износа.</p>',
    attributes: { Ось: 'передняя', Датчик: 'есть' },
    kind: 'bars',
    colour: [170, 90, 60],
    quantity: 61,
  },
  {
    id_erp: 'D-1102',
    name: 'Колодки тормозные задние',
    brand: 'СТАЛЬКОН',
    article: 'SK-P1131',
    category: 'D-PADS',
    text: '<p>Комплект на ось.</p>',
    attributes: { Ось: 'задняя', Датчик: 'нет' },
    kind: 'bars',
    colour: [150, 80, 70],
    quantity: 47,
  },
  {
    id_erp: 'D-1103',
    name: 'Brake pads, rear',
    brand: 'NORDSTOP',
    article: '0 986 494 401',
    category: 'D-PADS',
    text: '<p>Low dust compound.</p>',
    attributes: { Axle: 'rear' },
    kind: 'bars',
    colour: [90, 90, 95],
    quantity: 12,
  },
  {
    id_erp: 'D-2001',
    name: 'Oil filter',
    brand: 'CLARIS',
    article: 'OC 1051',
    category: 'D-OIL',
    text: '<p>Spin-on, M20 × 1.5.</p>',
    attributes: { Thread: 'M20 × 1.5', Height: '76 mm' },
    kind: 'rings',
    colour: [60, 110, 190],
    quantity: 130,
  },
  {
    id_erp: 'D-2002',
    name: 'Oil filter',
    brand: 'CLARIS',
    article: 'OC 205',
    category: 'D-OIL',
    text: '<p>Same name as its neighbour: the slug tells them apart.</p>',
    attributes: { Thread: '3/4-16 UNF' },
    kind: 'rings',
    colour: [70, 120, 200],
    quantity: 88,
  },
  {
    id_erp: 'D-2003',
    name: 'Фильтр масляный',
    brand: 'ВОЛГАФИЛЬТР',
    article: '01016600',
    category: 'D-OIL',
    text: '<p>Артикул с ведущим нулём сохраняется как есть.</p>',
    attributes: { Резьба: 'M20 × 1.5' },
    kind: 'rings',
    colour: [40, 140, 90],
    quantity: 19,
  },
  {
    id_erp: 'D-2101',
    name: 'Air filter, panel',
    brand: 'CLARIS',
    article: 'C 30 130',
    category: 'D-AIR',
    text: '<p>Flame retardant paper.</p>',
    attributes: { Length: '296 mm', Width: '213 mm' },
    kind: 'cells',
    colour: [220, 170, 70],
    quantity: 33,
  },
  {
    id_erp: 'D-2102',
    name: 'Фильтр воздушный',
    brand: 'ВОЛГАФИЛЬТР',
    article: 'ВФ-7702',
    category: 'D-AIR',
    text: '<p>Гофрированная бумага.</p>',
    attributes: { Длина: '280 мм', Ширина: '185 мм' },
    kind: 'cells',
    colour: [210, 190, 110],
    quantity: 5,
  },
  {
    id_erp: 'D-2103',
    name: 'Фильтр салона угольный',
    brand: 'ВОЛГАФИЛЬТР',
    article: 'ВФ-9101К',
    category: 'D-AIR',
    text: '<p>С активированным углём.</p>',
    attributes: { Тип: 'угольный' },
    kind: 'cells',
    colour: [80, 85, 90],
    quantity: 17,
  },
]

/** Pictures by file name. */
export const pictures = Object.fromEntries(parts.map(({ id_erp, kind, colour }) => [`${id_erp}.png`, { kind, colour }]))

/** @param {string} pictureUrl where the pictures are served while the demo runs */
export function productItems(pictureUrl) {
  return parts.map((part, index) => ({
    id_erp: part.id_erp,
    name: part.name,
    brand: part.brand,
    article: part.article,
    category_id_erp: part.category,
    description_full: part.text,
    sort_order: index + 1,
    attributes: Object.entries(part.attributes).map(([name, value]) => ({ name, value, type: 'text' })),
    images: [{ url: `${pictureUrl}/${part.id_erp}.png`, is_main: true }],
  }))
}

export const stockItems = parts.map(({ id_erp, quantity }) => ({
  product_id_erp: id_erp,
  quantity,
  delivery_days: quantity > 0 ? 1 : 7,
}))
