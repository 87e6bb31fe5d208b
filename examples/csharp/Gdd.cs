using System.Text.Json.Nodes;

/// <summary>Growing degree days of last year's corn on one field: the job, its total and its chart.</summary>
static class Gdd
{
    public static async Task Run(Service service)
    {
        var year = DateTime.UtcNow.Year - 1;
        var job = await service.RunJob("gdd", $"/v1/gdd/example-{DateTime.UtcNow.Ticks}", new
        {
            partyId = service["partyId"],
            resourceType = "Field",
            resourceId = service.File["fieldIds"]![0]!.GetValue<string>(),
            crop = "CORN",
            gddStartDate = $"{year}-05-01",
            gddEndDate = $"{year}-09-30",
        });
        var insight = JsonNode.Parse(await service.Insight(job))!;
        Console.WriteLine($"{insight["total"]} °{insight["temperatureUnit"]}·day in {insight["days"]} days");
        await File.WriteAllBytesAsync("gdd.svg", await service.Insight(job, "image/svg+xml"));
        Console.WriteLine("The chart is in gdd.svg.");
    }
}
