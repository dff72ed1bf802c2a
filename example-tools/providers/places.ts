// Sample data: real geography, rounded, with identifiers of our own. `test/example-tools/providers/places.ts` holds it to its size.

/** One place of the sample data set. */
export interface Place {
  /** A number of this data set, not of GeoNames, whose numbers the real provider passes on. */
  id: number
  name: string
  latitude: number
  longitude: number
  /** Metres above sea level. */
  elevation: number
  /** GeoNames feature code: PPLC capital, PPLA seat of a first-level region, PPLA2 of a second-level one, PPL any other populated place. */
  featureCode: string
  countryCode: string
  country: string
  admin1: string
  timezone: string
  population: number
  postcodes: string[]
}

/** The place where it is always exactly 0 °C: 0 is a temperature, and code that takes it for "none" is found out here. */
export const zeroDegreesPlace = 'Nuuk'

const countries: Record<string, string> = {
  AE: 'United Arab Emirates',
  AR: 'Argentina',
  AT: 'Austria',
  AU: 'Australia',
  BE: 'Belgium',
  BR: 'Brazil',
  CA: 'Canada',
  CH: 'Switzerland',
  CL: 'Chile',
  CN: 'China',
  CO: 'Colombia',
  CR: 'Costa Rica',
  CZ: 'Czechia',
  DE: 'Germany',
  DK: 'Denmark',
  EC: 'Ecuador',
  EG: 'Egypt',
  ES: 'Spain',
  FI: 'Finland',
  FR: 'France',
  GB: 'United Kingdom',
  GL: 'Greenland',
  GR: 'Greece',
  HU: 'Hungary',
  ID: 'Indonesia',
  IE: 'Ireland',
  IN: 'India',
  IS: 'Iceland',
  IT: 'Italy',
  JP: 'Japan',
  KE: 'Kenya',
  KR: 'South Korea',
  MX: 'Mexico',
  MY: 'Malaysia',
  NG: 'Nigeria',
  NL: 'Netherlands',
  NO: 'Norway',
  NP: 'Nepal',
  NZ: 'New Zealand',
  PE: 'Peru',
  PH: 'Philippines',
  PL: 'Poland',
  PT: 'Portugal',
  RO: 'Romania',
  SE: 'Sweden',
  SG: 'Singapore',
  TH: 'Thailand',
  TR: 'Türkiye',
  US: 'United States',
  VE: 'Venezuela',
  ZA: 'South Africa'
}

// name, latitude, longitude, elevation, feature code, country code, first-level region, time zone, population, postcodes
type Row = [string, number, number, number, string, string, string, string, number, string[]?]

const rows: Row[] = [
  ['London', 51.50853, -0.12574, 25, 'PPLC', 'GB', 'England', 'Europe/London', 8961989],
  ['London', 42.98339, -81.23304, 252, 'PPL', 'CA', 'Ontario', 'America/Toronto', 422324],
  ['London', 37.12898, -84.08326, 378, 'PPLA2', 'US', 'Kentucky', 'America/New_York', 8126, ['40741', '40742', '40743', '40744']],
  ['London', 39.88645, -83.44825, 321, 'PPLA2', 'US', 'Ohio', 'America/New_York', 10060, ['43140']],
  ['Londonderry', 54.9981, -7.30934, 40, 'PPL', 'GB', 'Northern Ireland', 'Europe/London', 83652],
  ['Paris', 48.85341, 2.3488, 42, 'PPLC', 'FR', 'Île-de-France', 'Europe/Paris', 2138551],
  ['Paris', 33.66094, -95.55551, 183, 'PPLA2', 'US', 'Texas', 'America/Chicago', 24782, ['75460', '75461', '75462']],
  ['Paris', 36.302, -88.32671, 156, 'PPLA2', 'US', 'Tennessee', 'America/Chicago', 10156, ['38242']],
  ['Springfield', 39.80172, -89.64371, 181, 'PPLA', 'US', 'Illinois', 'America/Chicago', 114394, ['62701', '62702', '62703', '62704']],
  ['Springfield', 37.21533, -93.29824, 396, 'PPLA2', 'US', 'Missouri', 'America/Chicago', 169176, ['65801', '65802', '65803', '65804']],
  ['Springfield', 42.10148, -72.58981, 21, 'PPLA2', 'US', 'Massachusetts', 'America/New_York', 155929, ['01101', '01103', '01104']],
  ['Springfield', 44.04624, -123.02203, 139, 'PPL', 'US', 'Oregon', 'America/Los_Angeles', 61851, ['97477', '97478']],
  ['Cambridge', 52.2, 0.11667, 13, 'PPLA2', 'GB', 'England', 'Europe/London', 145674],
  ['Cambridge', 42.3751, -71.10561, 13, 'PPLA2', 'US', 'Massachusetts', 'America/New_York', 118403, ['02138', '02139', '02140']],
  ['Cambridge', 43.3601, -80.31269, 289, 'PPL', 'CA', 'Ontario', 'America/Toronto', 138479],
  ['Birmingham', 52.48142, -1.89983, 149, 'PPLA2', 'GB', 'England', 'Europe/London', 1144919],
  ['Birmingham', 33.52066, -86.80249, 187, 'PPLA2', 'US', 'Alabama', 'America/Chicago', 200733, ['35203', '35204', '35205']],
  ['Portland', 45.52345, -122.67621, 15, 'PPLA2', 'US', 'Oregon', 'America/Los_Angeles', 652503, ['97201', '97202', '97203']],
  ['Portland', 43.65737, -70.2589, 19, 'PPLA2', 'US', 'Maine', 'America/New_York', 68408, ['04101', '04102', '04103']],
  ['Manchester', 53.48095, -2.23743, 42, 'PPLA2', 'GB', 'England', 'Europe/London', 552000],
  ['Manchester', 42.99564, -71.45479, 64, 'PPL', 'US', 'New Hampshire', 'America/New_York', 115644, ['03101', '03102', '03103']],
  ['Dublin', 53.33306, -6.24889, 17, 'PPLC', 'IE', 'Leinster', 'Europe/Dublin', 1024027],
  ['Dublin', 40.09923, -83.11408, 254, 'PPL', 'US', 'Ohio', 'America/New_York', 49328, ['43016', '43017']],
  ['Athens', 37.98376, 23.72784, 70, 'PPLC', 'GR', 'Attica', 'Europe/Athens', 643452],
  ['Athens', 33.96095, -83.37794, 213, 'PPLA2', 'US', 'Georgia', 'America/New_York', 127315, ['30601', '30605', '30606']],
  ['San Jose', 37.33939, -121.89496, 26, 'PPLA2', 'US', 'California', 'America/Los_Angeles', 1013240, ['95110', '95111', '95112']],
  ['San José', 9.93333, -84.08333, 1161, 'PPLC', 'CR', 'San José', 'America/Costa_Rica', 335007],
  ['Santiago', -33.45694, -70.64827, 556, 'PPLC', 'CL', 'Santiago Metropolitan', 'America/Santiago', 4837295],
  ['Santiago de Compostela', 42.88052, -8.54569, 254, 'PPLA', 'ES', 'Galicia', 'Europe/Madrid', 98179],
  ['Valencia', 39.46975, -0.37739, 16, 'PPLA', 'ES', 'Valencia', 'Europe/Madrid', 807693],
  ['Valencia', 10.16202, -68.00765, 479, 'PPLA', 'VE', 'Carabobo', 'America/Caracas', 1484430],
  ['Barcelona', 41.38879, 2.15899, 15, 'PPLA', 'ES', 'Catalonia', 'Europe/Madrid', 1686208],
  ['Barcelona', 10.13625, -64.68618, 13, 'PPLA', 'VE', 'Anzoátegui', 'America/Caracas', 424795],
  ['Madrid', 40.4165, -3.70256, 665, 'PPLC', 'ES', 'Madrid', 'Europe/Madrid', 3255944],
  ['Flower Mound', 33.01457, -97.09696, 203, 'PPL', 'US', 'Texas', 'America/Chicago', 75956, ['75022', '75027', '75028']],
  ['Dallas', 32.78306, -96.80667, 131, 'PPLA2', 'US', 'Texas', 'America/Chicago', 1304379, ['75201', '75202', '75203']],
  ['Austin', 30.26715, -97.74306, 165, 'PPLA', 'US', 'Texas', 'America/Chicago', 961855, ['78701', '78702', '78703']],
  ['New York', 40.71427, -74.00597, 10, 'PPL', 'US', 'New York', 'America/New_York', 8804190, ['10001', '10002', '10003']],
  ['Los Angeles', 34.05223, -118.24368, 96, 'PPLA2', 'US', 'California', 'America/Los_Angeles', 3898747, ['90001', '90012']],
  ['Chicago', 41.85003, -87.65005, 180, 'PPLA2', 'US', 'Illinois', 'America/Chicago', 2746388, ['60601', '60602']],
  ['Denver', 39.73915, -104.9847, 1609, 'PPLA', 'US', 'Colorado', 'America/Denver', 715522, ['80202', '80203']],
  ['Phoenix', 33.44838, -112.07404, 331, 'PPLA', 'US', 'Arizona', 'America/Phoenix', 1608139, ['85003', '85004']],
  ['Honolulu', 21.30694, -157.85833, 18, 'PPLA', 'US', 'Hawaii', 'Pacific/Honolulu', 345510, ['96813']],
  ['Anchorage', 61.21806, -149.90028, 31, 'PPLA2', 'US', 'Alaska', 'America/Anchorage', 291247, ['99501']],
  ['Toronto', 43.70643, -79.39864, 175, 'PPLA', 'CA', 'Ontario', 'America/Toronto', 2794356],
  ['Vancouver', 49.24966, -123.11934, 70, 'PPL', 'CA', 'British Columbia', 'America/Vancouver', 662248],
  ["St. John's", 47.56494, -52.70931, 28, 'PPLA', 'CA', 'Newfoundland and Labrador', 'America/St_Johns', 110525],
  ['Ottawa', 45.41117, -75.69812, 71, 'PPLC', 'CA', 'Ontario', 'America/Toronto', 1017449],
  ['Mexico City', 19.42847, -99.12766, 2240, 'PPLC', 'MX', 'Mexico City', 'America/Mexico_City', 12294193],
  ['Bogotá', 4.60971, -74.08175, 2582, 'PPLC', 'CO', 'Bogota D.C.', 'America/Bogota', 7674366],
  ['Quito', -0.22985, -78.52495, 2850, 'PPLC', 'EC', 'Pichincha', 'America/Guayaquil', 1607734],
  ['Lima', -12.04318, -77.02824, 154, 'PPLC', 'PE', 'Lima Province', 'America/Lima', 7737002],
  ['Buenos Aires', -34.61315, -58.37723, 31, 'PPLC', 'AR', 'Buenos Aires F.D.', 'America/Argentina/Buenos_Aires', 2891082],
  ['Córdoba', -31.4135, -64.18105, 390, 'PPLA', 'AR', 'Córdoba', 'America/Argentina/Cordoba', 1428214],
  ['Córdoba', 37.89155, -4.77275, 106, 'PPLA2', 'ES', 'Andalusia', 'Europe/Madrid', 325708],
  ['São Paulo', -23.5475, -46.63611, 769, 'PPLA', 'BR', 'São Paulo', 'America/Sao_Paulo', 12400232],
  ['Rio de Janeiro', -22.90642, -43.18223, 13, 'PPLA', 'BR', 'Rio de Janeiro', 'America/Sao_Paulo', 6747815],
  ['Oslo', 59.91273, 10.74609, 26, 'PPLC', 'NO', 'Oslo', 'Europe/Oslo', 580000],
  ['Bergen', 60.39299, 5.32415, 12, 'PPLA', 'NO', 'Vestland', 'Europe/Oslo', 213585],
  ['Tromsø', 69.6489, 18.95508, 10, 'PPLA', 'NO', 'Troms', 'Europe/Oslo', 52436],
  ['Stockholm', 59.32938, 18.06871, 17, 'PPLC', 'SE', 'Stockholm', 'Europe/Stockholm', 1515017],
  ['Copenhagen', 55.67594, 12.56553, 14, 'PPLC', 'DK', 'Capital Region', 'Europe/Copenhagen', 1153615],
  ['Helsinki', 60.16952, 24.93545, 26, 'PPLC', 'FI', 'Uusimaa', 'Europe/Helsinki', 658864],
  ['Reykjavík', 64.13548, -21.89541, 37, 'PPLC', 'IS', 'Capital Region', 'Atlantic/Reykjavik', 118918],
  [zeroDegreesPlace, 64.18347, -51.72157, 5, 'PPLC', 'GL', 'Sermersooq', 'America/Nuuk', 18326],
  ['Å', 67.87917, 12.98194, 7, 'PPL', 'NO', 'Nordland', 'Europe/Oslo', 100],
  ['Berlin', 52.52437, 13.41053, 74, 'PPLC', 'DE', 'State of Berlin', 'Europe/Berlin', 3426354, ['10967', '13347']],
  ['Munich', 48.13743, 11.57549, 524, 'PPLA', 'DE', 'Bavaria', 'Europe/Berlin', 1260391],
  ['Frankfurt am Main', 50.11552, 8.68417, 113, 'PPL', 'DE', 'Hesse', 'Europe/Berlin', 650000],
  ['Ulm', 48.39841, 9.99155, 479, 'PPLA3', 'DE', 'Baden-Wurttemberg', 'Europe/Berlin', 120451],
  ['Vienna', 48.20849, 16.37208, 171, 'PPLC', 'AT', 'Vienna', 'Europe/Vienna', 1691468],
  ['Zürich', 47.36667, 8.55, 429, 'PPLA', 'CH', 'Zurich', 'Europe/Zurich', 415367],
  ['Brussels', 50.85045, 4.34878, 28, 'PPLC', 'BE', 'Brussels Capital', 'Europe/Brussels', 1019022],
  ['Amsterdam', 52.37403, 4.88969, 13, 'PPLC', 'NL', 'North Holland', 'Europe/Amsterdam', 741636],
  ['Ee', 53.33583, 6.08194, 1, 'PPL', 'NL', 'Friesland', 'Europe/Amsterdam', 830],
  ['Prague', 50.08804, 14.42076, 202, 'PPLC', 'CZ', 'Prague', 'Europe/Prague', 1165581],
  ['Warsaw', 52.22977, 21.01178, 113, 'PPLC', 'PL', 'Masovian', 'Europe/Warsaw', 1702139],
  ['Budapest', 47.49835, 19.04045, 104, 'PPLC', 'HU', 'Budapest', 'Europe/Budapest', 1741041],
  ['Bucharest', 44.43225, 26.10626, 83, 'PPLC', 'RO', 'Bucharest', 'Europe/Bucharest', 1877155],
  ['Lisbon', 38.71667, -9.13333, 45, 'PPLC', 'PT', 'Lisbon', 'Europe/Lisbon', 517802],
  ['Rome', 41.89193, 12.51133, 20, 'PPLC', 'IT', 'Lazio', 'Europe/Rome', 2318895],
  ['Edinburgh', 55.95206, -3.19648, 76, 'PPLA', 'GB', 'Scotland', 'Europe/London', 506520],
  ['Istanbul', 41.01384, 28.94966, 39, 'PPLA', 'TR', 'Istanbul', 'Europe/Istanbul', 14804116],
  ['Cairo', 30.06263, 31.24967, 23, 'PPLC', 'EG', 'Cairo', 'Africa/Cairo', 9606916],
  ['Nairobi', -1.28333, 36.81667, 1684, 'PPLC', 'KE', 'Nairobi County', 'Africa/Nairobi', 4397073],
  ['Lagos', 6.45407, 3.39467, 11, 'PPLA2', 'NG', 'Lagos', 'Africa/Lagos', 15388000],
  ['Lagos', 37.10202, -8.67422, 19, 'PPLA2', 'PT', 'Faro', 'Europe/Lisbon', 18831],
  ['Cape Town', -33.92584, 18.42322, 25, 'PPLC', 'ZA', 'Western Cape', 'Africa/Johannesburg', 4710000],
  ['Dubai', 25.07725, 55.30927, 8, 'PPLA', 'AE', 'Dubai', 'Asia/Dubai', 3478300],
  ['Delhi', 28.65195, 77.23149, 227, 'PPLA', 'IN', 'Delhi', 'Asia/Kolkata', 10927986],
  ['Mumbai', 19.07283, 72.88261, 14, 'PPLA', 'IN', 'Maharashtra', 'Asia/Kolkata', 12691836],
  ['Kathmandu', 27.70169, 85.3206, 1317, 'PPLC', 'NP', 'Bagmati Province', 'Asia/Kathmandu', 1442271],
  ['Bangkok', 13.75398, 100.50144, 12, 'PPLC', 'TH', 'Bangkok', 'Asia/Bangkok', 5104476],
  ['Kuala Lumpur', 3.1412, 101.68653, 66, 'PPLC', 'MY', 'Kuala Lumpur', 'Asia/Kuala_Lumpur', 1982112],
  ['Singapore', 1.28967, 103.85007, 23, 'PPLC', 'SG', 'Central Singapore', 'Asia/Singapore', 5638700],
  ['Jakarta', -6.21462, 106.84513, 8, 'PPLC', 'ID', 'Jakarta', 'Asia/Jakarta', 8540121],
  ['Manila', 14.6042, 120.9822, 13, 'PPLC', 'PH', 'Metro Manila', 'Asia/Manila', 1600000],
  ['Beijing', 39.9075, 116.39723, 49, 'PPLC', 'CN', 'Beijing', 'Asia/Shanghai', 18960744],
  ['Shanghai', 31.22222, 121.45806, 12, 'PPLA', 'CN', 'Shanghai', 'Asia/Shanghai', 24874500],
  ['Seoul', 37.566, 126.9784, 38, 'PPLC', 'KR', 'Seoul', 'Asia/Seoul', 10349312],
  ['Tokyo', 35.6895, 139.69171, 44, 'PPLC', 'JP', 'Tokyo', 'Asia/Tokyo', 9733276],
  ['Sydney', -33.86785, 151.20732, 58, 'PPLA', 'AU', 'New South Wales', 'Australia/Sydney', 4627345],
  ['Adelaide', -34.92866, 138.59863, 49, 'PPLA', 'AU', 'South Australia', 'Australia/Adelaide', 1387290],
  ['Wellington', -41.28664, 174.77557, 20, 'PPLC', 'NZ', 'Wellington', 'Pacific/Auckland', 381900]
]

/** Every place of the sample data set. */
export const places: readonly Place[] = rows.map(([name, latitude, longitude, elevation, featureCode, countryCode, admin1, timezone, population, postcodes = []], index) => ({
  id: 900_000 + index, name, latitude, longitude, elevation, featureCode, countryCode, country: countries[countryCode]!, admin1, timezone, population, postcodes
}))

/** The place nearest to a coordinate, and how far it is in degrees (a degree of longitude counts less near the poles). */
export function nearestPlace (latitude: number, longitude: number): { place: Place, degrees: number } {
  let best = { place: places[0]!, degrees: Infinity }
  for (const place of places) {
    const east = Math.abs(place.longitude - longitude)
    const degrees = Math.hypot(place.latitude - latitude, Math.min(east, 360 - east) * Math.cos(latitude * Math.PI / 180))
    if (degrees < best.degrees) best = { place, degrees }
  }
  return best
}
