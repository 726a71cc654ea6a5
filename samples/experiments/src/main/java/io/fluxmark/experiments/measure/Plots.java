package io.fluxmark.experiments.measure;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Plots in one style, written as PNG. */
public final class Plots {

    private static final int WIDTH = 900;
    private static final int HEIGHT = 420;

    private Plots() {}

    /** Bars over categories. */
    public static CategoryChart bars(String title, String x, String y) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        style(chart.getStyler());
        chart.getStyler().setAvailableSpaceFill(0.8);
        return chart;
    }

    /** Lines through points. */
    public static XYChart lines(String title, String x, String y) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        style(chart.getStyler());
        return chart;
    }

    /** The same with a logarithmic x axis: only for values above 0. */
    public static XYChart linesOverLog(String title, String x, String y) {
        XYChart chart = lines(title, x, y);
        chart.getStyler().setXAxisLogarithmic(true);
        return chart;
    }

    /** A line with its points marked. */
    public static void line(XYChart chart, String name, List<Double> x, List<Double> y) {
        chart.addSeries(name, x, y).setMarker(SeriesMarkers.CIRCLE);
    }

    /** A line of many points, unmarked. */
    public static void curve(XYChart chart, String name, List<Double> x, List<Double> y) {
        chart.addSeries(name, x, y).setMarker(SeriesMarkers.NONE);
    }

    /** Writes a plot. */
    public static void write(Chart<?, ?> chart, Path file) throws IOException {
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    }

    private static void style(Styler styler) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setLegendLayout(Styler.LegendLayout.Horizontal);
    }
}
