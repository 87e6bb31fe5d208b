// dotnet run --project examples/csharp -- gdd | boundary | imagery [fields.geojson] | lists [fields.geojson] | farm
var local = Environment.GetEnvironmentVariable("LOCAL_DIR") ?? ".local";
using var service = new Service(Environment.GetEnvironmentVariable("SERVICE_FILE") ?? $"{local}/service.json");
await (args switch
{
    ["gdd"] => Gdd.Run(service),
    ["boundary"] => Boundary.Run(service),
    ["imagery", .. var rest] => Imagery.Run(service, rest is [var file] ? file : "examples/fields.geojson"),
    ["lists", .. var rest] => Lists.Run(service, rest is [var file] ? file : "examples/fields.geojson"),
    ["farm"] => Farm.Run(service),
    _ => throw new ArgumentException("Say gdd, boundary, imagery, lists or farm."),
});
