// ISO 4217's minor units, and not Intl.NumberFormat's: those are CLDR's, what people write by habit, and differ (IDR and HUF are
// written without decimals, and have two). Only what is not 2 is listed, from the table of 2026-01-01.

const exceptions = new Map(Object.entries({
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW'
}).flatMap(([decimals, codes]) => codes.split(' ').map((code): [string, number] => [code, Number(decimals)])))

/** How many decimals an amount of a currency has. */
export function decimalsOf (code: string): number {
  return exceptions.get(code) ?? 2
}
