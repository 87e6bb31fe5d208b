/// <summary>The boundary of the field around a point.</summary>
static class Boundary
{
    public static async Task Run(Service service)
    {
        var job = await service.RunJob("smartBoundary", $"/v1/smart-boundary/example-{DateTime.UtcNow.Ticks}", new
        {
            partyId = service["partyId"],
            resourceType = "Farm",
            resourceId = service["farmId"],
            imageStartDate = Service.DaysAgo(23),
            imageEndDate = Service.DaysAgo(10),
            pointOnSurface = service.File["pointOnSurface"],
        });
        await File.WriteAllBytesAsync("boundary.geojson", await service.Insight(job, "application/geo+json"));
        Console.WriteLine("The boundary is in boundary.geojson.");
    }
}
