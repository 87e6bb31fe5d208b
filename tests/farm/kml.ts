export const ringElement = (corners: string): string =>
  `<LinearRing><coordinates>${corners}</coordinates></LinearRing>`;

export const polygonElement = (outer: string, inner = ''): string =>
  `<Polygon><outerBoundaryIs>${ringElement(outer)}</outerBoundaryIs>${inner && `<innerBoundaryIs>${ringElement(inner)}</innerBoundaryIs>`}</Polygon>`;

/** A placemark with anything in it. */
export const placemark = (content: string, name = 'North'): string =>
  `<Placemark><name>${name}</name>${content}</Placemark>`;

/** A KML file with anything in its document. */
export const kmlText = (content: string): string =>
  `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${content}</Document></kml>`;
