import type { AdminClient } from '@partsbus/client/admin-client'
import type { ErpClient, ListItem, ListPath } from '@partsbus/client/erp-client'
import { type Command, type CommandContext, type CommandLine, integerOption } from '../command.js'
import { CommandFailed, exitCodes } from '../exit-codes.js'
import { openAdmin, openErp, readSecret } from '../open-clients.js'
import { countOf } from '../terminal/count-of.js'

const BRANDS = ['MAHLE', 'BOSCH', 'BREMBO', 'SACHS', 'VALEO', 'LEMFORDER']
const PARTS = ['Oil filter', 'Air filter', 'Brake disc', 'Brake pad', 'Shock absorber', 'Clutch kit', 'Wheel bearing']

export const seed: Command = {
  usage: '[--products 1000] [--offers 1000] [--new-token]',
  summary: 'Fills an empty installation with made-up products, stock and a price list, for trying it out.',
  options: { products: { type: 'string' }, offers: { type: 'string' }, 'new-token': { type: 'boolean' } },
  async run(line, ctx) {
    const admin = openAdmin(ctx.env)
    const products = integerOption(line, 'products', false, 0) ?? 1_000
    const offers = integerOption(line, 'offers', false, 0) ?? 1_000
    // before anything is written
    await assertTokenMayChange(admin, line, ctx)
    const storageId = await configure(admin)
    const erp = await openErpWithToken(admin, ctx)
    await sendProducts(erp, products, ctx)
    const list = offers === 0 ? undefined : await uploadOffers(admin, offers)
    const made = { products, offers, storage_id: storageId, ...list }
    if (line.isJson) ctx.terminal.print(JSON.stringify(made))
    else {
      ctx.terminal.print(`${products} products with stock in storage ${storageId}`)
      if (list)
        ctx.terminal.print(`${countOf(offers, 'offer')} for price list ${list.price_list_id}, import ${list.task_id}`)
    }
    return exitCodes.ok
  },
}

/** A new token would disconnect the ERP that works with this installation. */
async function assertTokenMayChange(admin: AdminClient, line: CommandLine, { env }: CommandContext): Promise<void> {
  if (readSecret(env, 'ERP_TOKEN') !== undefined || line.options['new-token'] === true) return
  const { erp_token } = await admin('GET /settings')
  if (erp_token === null) return
  throw new CommandFailed('This installation has an ERP token. Set ERP_TOKEN, or replace the token with --new-token.')
}

/** Storage, pick-up point and settings; each is reused when the command is repeated. @returns the id of the storage */
async function configure(admin: AdminClient): Promise<number> {
  const name = 'Seed warehouse'
  const storages = await admin('GET /storages', { query: { per_page: 500 } })
  const storage =
    storages.data.find((each) => each.name === name) ?? (await admin('POST /storages', { body: { name } }))
  const points = await admin('GET /pick-up-points', { query: { per_page: 500 } })
  const point =
    points.data.find((each) => each.name === name) ??
    (await admin('POST /pick-up-points', { body: { name, storage_ids: [storage.id] } }))
  const settings = await admin('GET /settings')
  await admin('PATCH /settings', {
    body: {
      erp_enabled: true,
      erp_storage_id: settings.erp_storage_id ?? storage.id,
      erp_pick_up_point_id: settings.erp_pick_up_point_id ?? point.id,
    },
  })
  return settings.erp_storage_id ?? storage.id
}

async function openErpWithToken(admin: AdminClient, ctx: CommandContext): Promise<ErpClient> {
  if (readSecret(ctx.env, 'ERP_TOKEN') !== undefined) return openErp(ctx)
  const { token } = await admin('POST /settings/erp-token')
  ctx.terminal.note(`ERP token: ${token}`)
  return openErp(ctx, token)
}

async function sendProducts(erp: ErpClient, count: number, { terminal }: CommandContext): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  const send = async <Path extends ListPath>(path: Path, items: ListItem<Path>[], unit: string): Promise<void> => {
    for await (const { first, items: sent, refused } of erp.batches(path, items)) {
      if (refused) throw refused
      terminal.progress(first + sent.length, count, unit)
    }
  }
  const products = numbers.map((number) => ({
    id_erp: seedId(number),
    name: `${pick(PARTS, number)} ${number}`,
    brand: pick(BRANDS, number),
    article: `SEED-${number}`,
  }))
  await send('POST /products/batch-upsert', products, 'products')
  const stocks = numbers.map((number) => ({ product_id_erp: seedId(number), quantity: number % 50 }))
  await send('POST /stocks/batch-update', stocks, 'stock levels')
  const prices = numbers.map((number) => ({ product_id_erp: seedId(number), selling_price: 100 + (number % 900) }))
  await send('POST /prices/batch-update', prices, 'prices')
  terminal.endProgress()
}

async function uploadOffers(admin: AdminClient, count: number): Promise<{ price_list_id: number; task_id: number }> {
  const name = 'Seed supplier'
  const supplier = { kind: 'price-list' } as const
  const lists = await admin('GET /price-lists', { query: { q: name } })
  const list =
    lists.data.find((each) => each.name === name) ??
    (await admin('POST /price-lists', {
      body: { name, storage_id: (await admin('POST /storages', { body: { name, supplier } })).id },
    }))
  const rows = Array.from(
    { length: count },
    (_, number) =>
      `${pick(BRANDS, number)};SEED-${number};${pick(PARTS, number)};${number % 20};${50 + (number % 500)}`,
  )
  const file = new Blob([`Brand;Article;Name;Quantity;Price\n${rows.join('\n')}\n`])
  const { task_id } = await admin.upload('POST /price-lists/:id/upload', {
    params: { id: list.id },
    file,
    fileName: 'seed.csv',
  })
  return { price_list_id: list.id, task_id }
}

function seedId(number: number): string {
  return `SEED-${number}`
}

function pick(words: readonly string[], number: number): string {
  return words[number % words.length] ?? ''
}
