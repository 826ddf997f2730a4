import { describe, expect, it } from '@jest/globals'
import { readInspect, readOptions, readReplicas } from './options.mjs'

describe('the variables of npm start', () => {
  it('have defaults', () => {
    expect(readOptions({}, '/checkout')).toEqual({
      port: 8080,
      stateDir: '/checkout/.state',
      replicas: { administration: 1, catalog: 1, stock: 1, 'pricing-import': 1, 'supplier-search': 1, gateway: 1 },
      inspect: {},
    })
  })

  it('are read from the environment', () => {
    const options = readOptions({ PORT: '0', STATE_DIR: '/var/parts', REPLICAS: 'catalog=2, gateway=3' }, '/checkout')
    expect(options).toMatchObject({ port: 0, stateDir: '/var/parts', replicas: { catalog: 2, gateway: 3, stock: 1 } })
  })

  it.each(['http', '-1', '65536', '80.5', '0x50'])('PORT=%s is refused', (port) => {
    expect(() => readOptions({ PORT: port }, '/checkout')).toThrow(`PORT=${port} is not a port`)
  })

  it.each([
    ['warehouse=2', 'names no service'],
    ['catalog', 'names no service'],
    ['catalog=', 'must give a number from 1 to 16'],
    ['catalog=0', 'must give a number from 1 to 16'],
    ['catalog=17', 'must give a number from 1 to 16'],
    ['catalog=two', 'must give a number from 1 to 16'],
    ['gateway=2,catalog=-1', '"catalog=-1" must give a number'],
  ])('REPLICAS=%s is refused', (replicas, reason) => {
    expect(() => readReplicas(replicas)).toThrow(reason)
  })

  it('INSPECT gives each service named a debugger port', () => {
    expect(readInspect('catalog, stock=9300,gateway')).toEqual({ catalog: 9229, stock: 9300, gateway: 9231 })
    expect(() => readInspect('warehouse')).toThrow('INSPECT: "warehouse" names no service')
    expect(() => readInspect('stock=x')).toThrow('INSPECT=x is not a port')
  })
})
