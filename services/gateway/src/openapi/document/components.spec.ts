import { expect, it } from '@jest/globals'
import { z } from 'zod'
import { Components } from './components.js'

const size = z.object({ width: z.number().default(1) }).meta({ id: 'SpecSize' })
const colour = z.object({ name: z.string() }).meta({ id: 'SpecColour' })
const box = z.object({ size, colour }).meta({ id: 'SpecBox' })

it('a name whose request and answer differ becomes two, and so does what refers to it', () => {
  const components = new Components()
  expect(components.describe(box, 'output')).toEqual({ $ref: '#/components/schemas/SpecBox' })
  expect(components.describe(box, 'input')).toEqual({ $ref: '#/components/schemas/SpecBoxInput' })
  expect(components.all()).toMatchObject({
    SpecBox: {
      properties: {
        size: { $ref: '#/components/schemas/SpecSize' },
        colour: { $ref: '#/components/schemas/SpecColour' },
      },
    },
    SpecBoxInput: {
      properties: {
        size: { $ref: '#/components/schemas/SpecSizeInput' },
        colour: { $ref: '#/components/schemas/SpecColour' },
      },
    },
    SpecSize: { required: ['width'] },
  })
  expect(components.all().SpecSizeInput).not.toHaveProperty('required')
  expect(Object.keys(components.all())).toEqual(['SpecBox', 'SpecBoxInput', 'SpecColour', 'SpecSize', 'SpecSizeInput'])
})

it('a name that only requests know keeps its name, however often it is described', () => {
  const components = new Components()
  for (let time = 0; time < 2; time += 1)
    expect(components.describe(box, 'input')).toEqual({ $ref: '#/components/schemas/SpecBox' })
  expect(Object.keys(components.all())).toEqual(['SpecBox', 'SpecColour', 'SpecSize'])
})
