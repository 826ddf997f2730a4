import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

const BUCKET = 'files'

export interface TestS3 {
  config: { S3_ENDPOINT: string; S3_BUCKET: string; S3_ACCESS_KEY_ID: string; S3_SECRET_ACCESS_KEY: string }
  /** keys of the objects, sorted */
  keys(): string[]
  /** size of all objects */
  storedBytes(): number
  close(): Promise<void>
}

/** Starts an S3 server with one bucket in a temporary folder. */
export async function startTestS3(): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), 'partsbus-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await server.run()
  const objects = join(folder, BUCKET)
  return {
    config: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    keys: () => filesIn(objects, OBJECT).map((path) => path.slice(objects.length + 1, -OBJECT.length)),
    storedBytes: () => bytesIn(objects, OBJECT),
    async close() {
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** ending of the files that hold the bytes of objects */
const OBJECT = '._S3rver_object'

/** Size of all files in a folder and its subfolders whose names have the ending. */
export function bytesIn(folder: string, ending = ''): number {
  return filesIn(folder, ending).reduce((sum, path) => sum + statSync(path).size, 0)
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}
